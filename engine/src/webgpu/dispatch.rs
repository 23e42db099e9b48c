//! One dispatch of one kernel: what it is specialised to, what it is bound to, how many workgroups it runs.

use super::pass::Output;
use super::shaders::Shader;
use super::space::{Space, collapse};
use super::{GpuError, GpuTensor, wgsl};
use crate::tensor::DType;

/// Most workgroups along one dimension that every device allows.
const MAX_GROUPS: u64 = 65_535;

/// A tensor's strides along each of the index spaces that it is read or written over.
pub(crate) type Access<'a> = &'a [(&'static str, &'a [usize])];

/// Whether a kernel sees elements as f32 or as i32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// f32; integers are converted.
    Float,
    /// i32.
    Integer,
}

/// A number in a kernel's parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar {
    Word(u32),
    Float(f32),
    Integer(i32),
}

/// What stands behind a name that a kernel loads from.
#[derive(Debug)]
pub(crate) enum Source {
    /// A tensor that is read.
    Tensor(GpuTensor),
    /// A tensor that is written.
    Result(GpuTensor),
    /// A tensor whose words are read and written atomically.
    Atomic(GpuTensor),
    /// A parameter: the same value at every index.
    Scalar,
}

/// A name that a kernel loads from or stores to.
#[derive(Debug)]
pub(crate) struct Operand {
    pub(crate) name: &'static str,
    pub(crate) source: Source,
    pub(crate) seen: Seen,
    /// (space, strides).
    pub(crate) access: Vec<(&'static str, Vec<usize>)>,
}

/// A dispatch, built up by a kernel function.
#[derive(Debug)]
pub(crate) struct Dispatch {
    shader: &'static Shader,
    pub(crate) constants: Vec<(&'static str, String)>,
    pub(crate) spaces: Vec<Space>,
    pub(crate) operands: Vec<Operand>,
    /// Parameters that the kernel names itself.
    pub(crate) scalars: Vec<(&'static str, Scalar)>,
    /// Whether it reports results that its words cannot hold.
    guarded: bool,
    /// Whether it reports integers that are divided by 0.
    divides: bool,
    groups: u64,
    /// The first thing that did not fit.
    problem: Option<GpuError>,
}

impl Dispatch {
    /// A dispatch of `shader` with `workgroup` invocations per workgroup.
    pub(crate) fn new(shader: &'static Shader, workgroup: u32) -> Self {
        Dispatch {
            shader,
            constants: vec![("WORKGROUP", format!("{workgroup}u"))],
            spaces: Vec::new(),
            operands: Vec::new(),
            scalars: Vec::new(),
            guarded: false,
            divides: false,
            groups: 0,
            problem: None,
        }
    }

    /// An index space: operands that have strides along it are addressed by one linear index over `shape`.
    pub(crate) fn space(mut self, name: &'static str, shape: &[usize]) -> Self {
        self.spaces.push(Space { name, sizes: shape.to_vec() });
        self
    }

    /// A tensor to read, floats as f32 and integers as i32. Without strides it is read by position, counted from its offset.
    pub(crate) fn read(self, name: &'static str, tensor: &GpuTensor, access: Access<'_>) -> Self {
        let seen = if tensor.dtype().is_float() { Seen::Float } else { Seen::Integer };
        self.read_as(name, tensor, seen, access)
    }

    /// A tensor to read as f32 or, if it holds integers, as i32.
    pub(crate) fn read_as(mut self, name: &'static str, tensor: &GpuTensor, seen: Seen, access: Access<'_>) -> Self {
        self.push(name, Source::Tensor(tensor.clone()), seen, access);
        self
    }

    /// A result to write.
    pub(crate) fn write(mut self, name: &'static str, result: &Output, access: Access<'_>) -> Self {
        let tensor = result.words();
        let seen = if tensor.dtype().is_float() { Seen::Float } else { Seen::Integer };
        self.push(name, Source::Result(tensor.clone()), seen, access);
        self
    }

    /// A result, or memory on the way to one, that a kernel changes atomically: `NAME_words` is an array of `atomic<u32>`.
    pub(crate) fn atomic(mut self, name: &'static str, result: &Output, access: Access<'_>) -> Self {
        self.push(name, Source::Atomic(result.words().clone()), Seen::Integer, access);
        self
    }

    /// An operand that is a number.
    pub(crate) fn constant_operand(self, name: &'static str, value: Scalar) -> Self {
        self.constant_operand_over(name, value, &[])
    }

    /// An operand that is a number, loaded as a tensor over these spaces would be; the strides are not used.
    pub(crate) fn constant_operand_over(mut self, name: &'static str, value: Scalar, access: Access<'_>) -> Self {
        let seen = if matches!(value, Scalar::Float(_)) { Seen::Float } else { Seen::Integer };
        self.push(name, Source::Scalar, seen, access);
        self.scalars.push((name, value));
        self
    }

    /// A WGSL constant of this name.
    pub(crate) fn constant(mut self, name: &'static str, value: impl std::fmt::Display) -> Self {
        self.constants.push((name, value.to_string()));
        self
    }

    /// A WGSL constant `name` that is one of `all`, which become constants too.
    pub(crate) fn choice(mut self, name: &'static str, all: &'static [&'static str], chosen: &str) -> Self {
        self.constants.extend(all.iter().zip(0u32..).map(|(choice, value)| (*choice, format!("{value}u"))));
        self.constant(name, chosen)
    }

    /// A parameter of type u32.
    pub(crate) fn size(mut self, name: &'static str, value: usize) -> Self {
        let word = self.word(value);
        self.scalars.push((name, Scalar::Word(word)));
        self
    }

    /// A parameter.
    pub(crate) fn scalar(mut self, name: &'static str, value: Scalar) -> Self {
        self.scalars.push((name, value));
        self
    }

    /// Where `result` is i64, makes elements that the kernel passes to `out_of_range` an error: its words hold 32 bits. The
    /// narrower dtypes wrap in PyTorch too, and for them the call does nothing.
    pub(crate) fn guard(mut self, result: &Output) -> Self {
        self.guarded = result.words().dtype() == DType::I64;
        self
    }

    /// Makes elements that the kernel passes to `division_by_zero` an error, whatever the result's dtype.
    pub(crate) fn guard_divisor(mut self) -> Self {
        self.divides = true;
        self
    }

    /// Whether it has something to report.
    pub(crate) fn is_guarded(&self) -> bool {
        self.guarded || self.divides
    }

    pub(crate) fn reports_range(&self) -> bool {
        self.guarded
    }

    pub(crate) fn reports_division(&self) -> bool {
        self.divides
    }

    /// Makes the dispatch fail with `error`, where no earlier one did.
    pub(crate) fn fail(mut self, error: GpuError) -> Self {
        self.problem.get_or_insert(error);
        self
    }

    /// How many workgroups to run. A kernel may run more and must leave them idle.
    pub(crate) fn groups(mut self, groups: usize) -> Self {
        self.groups = groups as u64;
        self
    }

    /// One invocation for each of `count` elements.
    pub(crate) fn invocations(self, count: usize, workgroup: u32) -> Self {
        self.size("count", count).groups(count.div_ceil(workgroup as usize))
    }

    pub(crate) fn shader(&self) -> &'static Shader {
        self.shader
    }

    /// Whether there is nothing to do.
    pub(crate) fn is_idle(&self) -> bool {
        self.groups == 0
    }

    /// Merges dimensions of its spaces; call once, after everything is added.
    pub(crate) fn seal(&mut self) -> Result<(), GpuError> {
        for space in &mut self.spaces {
            collapse(space, &mut self.operands);
        }
        self.problem.take().map_or(Ok(()), Err)
    }

    /// Workgroups as a grid: 65535 per dimension at most.
    pub(crate) fn grid(&self) -> Result<(u32, u32), GpuError> {
        let x = self.groups.clamp(1, MAX_GROUPS);
        let y = self.groups.div_ceil(x);
        match (u32::try_from(x), u32::try_from(y)) {
            (Ok(x), Ok(y)) if u64::from(y) <= MAX_GROUPS => Ok((x, y)),
            _ => Err(GpuError::DoesNotFit {
                what: format!("kernel {}", self.shader.name),
                limit: "maxComputeWorkgroupsPerDimension",
                needed: y,
                offered: MAX_GROUPS,
            }),
        }
    }

    /// The whole WGSL text: `own` is the kernel's own, which stands first so that compilers count its lines from 1.
    pub(crate) fn wgsl(&self, own: &str) -> String {
        wgsl::generate(self, own)
    }

    /// The parameters' bytes, in the order of the generated struct; a multiple of 16 long.
    pub(crate) fn parameter_bytes(&mut self) -> Result<Vec<u8>, GpuError> {
        let (grid_x, _) = self.grid()?;
        let mut words = vec![grid_x];
        for value in wgsl::layout_parameters(self).into_iter().map(|(_, value)| value).collect::<Vec<_>>() {
            let word = self.word(value);
            words.push(word);
        }
        words.extend(self.scalars.iter().map(|(_, value)| match value {
            Scalar::Word(word) => *word,
            Scalar::Float(value) => value.to_bits(),
            Scalar::Integer(value) => value.cast_unsigned(),
        }));
        words.resize(words.len().next_multiple_of(4), 0);
        self.problem.take().map_or(Ok(()), Err)?;
        Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
    }

    /// The bindings' types in order: the parameters, what is loaded and stored, the guard.
    pub(crate) fn binding_types(&self) -> impl Iterator<Item = wgpu::BufferBindingType> {
        let storage = self.operands.iter().filter_map(|operand| match operand.source {
            Source::Tensor(_) => Some(wgpu::BufferBindingType::Storage { read_only: true }),
            Source::Result(_) | Source::Atomic(_) => Some(wgpu::BufferBindingType::Storage { read_only: false }),
            Source::Scalar => None,
        });
        let guard = self.is_guarded().then_some(wgpu::BufferBindingType::Storage { read_only: false });
        std::iter::once(wgpu::BufferBindingType::Uniform).chain(storage).chain(guard)
    }

    /// The tensors behind the storage bindings, in order.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = &GpuTensor> {
        self.operands.iter().filter_map(|operand| match &operand.source {
            Source::Tensor(tensor) | Source::Result(tensor) | Source::Atomic(tensor) => Some(tensor),
            Source::Scalar => None,
        })
    }

    fn push(&mut self, name: &'static str, source: Source, seen: Seen, access: Access<'_>) {
        let access = access.iter().map(|(space, strides)| (*space, strides.to_vec())).collect();
        self.operands.push(Operand { name, source, seen, access });
    }

    fn word(&mut self, value: usize) -> u32 {
        u32::try_from(value).unwrap_or_else(|_| {
            self.problem.get_or_insert(GpuError::DoesNotFit {
                what: format!("kernel {}", self.shader.name),
                limit: "32-bit positions",
                needed: value as u64,
                offered: u64::from(u32::MAX),
            });
            0
        })
    }
}
