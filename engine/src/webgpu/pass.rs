//! A pass: the dispatches of one or more operators, recorded first and then submitted together.

use super::device::Gpu;
use super::dispatch::Dispatch;
use super::memory::Allocation;
use super::pipeline::{Fresh, Pipeline};
use super::storage::{self, Stored};
use super::{GpuError, GpuTensor, shaders};
use crate::graph::Meta;
use crate::tensor::DType;

/// Invocations per workgroup of kernels that treat elements one by one.
pub(crate) const ELEMENTWISE: u32 = 256;

/// What a guard holds while every element fits.
pub(crate) const IN_RANGE: u32 = u32::MAX;

/// Set in a guard beside the index of an element whose divisor is 0; no buffer has so many elements that an index had it.
pub(crate) const DIVIDED_BY_ZERO: u32 = 1 << 31;

/// Records what an operator's kernels do.
#[derive(Debug)]
pub struct Pass<'a> {
    gpu: &'a Gpu,
    id: &'a str,
    results: Vec<Meta>,
    recorded: Vec<Recorded>,
    /// Memory that must be cleared first, as new memory is.
    used: Vec<GpuTensor>,
    trail: Trail,
}

/// A dispatch ready to run. It keeps its tensors alive until it is submitted.
#[derive(Debug)]
struct Recorded {
    dispatch: Dispatch,
    parameters: Vec<u8>,
    grid: (u32, u32),
}

/// What a pass has done, for errors.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// Kernels dispatched.
    pub(crate) kernels: Vec<&'static str>,
    /// Kernels compiled.
    pub(crate) fresh: Vec<Fresh>,
    /// Bytes allocated.
    pub(crate) bytes: u64,
    /// Where guarded kernels say which element is out of range; [`IN_RANGE`] if none is.
    pub(crate) guard: Option<GpuTensor>,
}

/// A result in the making. Kernels write one word per element; f16, bf16 and 8-bit floats are computed in f32 and
/// rounded once, in [`Pass::finish`], when all parts of a word are known.
#[derive(Debug)]
pub(crate) struct Output {
    words: GpuTensor,
    dtype: DType,
}

impl Output {
    /// The tensor that kernels write.
    pub(crate) fn words(&self) -> &GpuTensor {
        &self.words
    }

    pub(crate) fn shape(&self) -> &[usize] {
        self.words.shape()
    }

    pub(crate) fn numel(&self) -> usize {
        self.words.numel()
    }

    /// A view of the words, for kernels that write a part of the result at a time.
    pub(crate) fn part(&self, layout: crate::tensor::Layout) -> Result<Output, GpuError> {
        Ok(Output { words: self.words.with_layout(layout)?, dtype: self.dtype })
    }
}

impl<'a> Pass<'a> {
    pub(crate) fn new(gpu: &'a Gpu, id: &'a str, results: Vec<Meta>) -> Self {
        Pass { gpu, id, results, recorded: Vec::new(), used: Vec::new(), trail: Trail::default() }
    }

    /// Memory for the operator's first or only result, with the dtype and shape that its signature gives.
    pub(crate) fn result(&mut self) -> Result<Output, GpuError> {
        self.result_at(0)
    }

    /// Memory for result `at` of an operator with several.
    pub(crate) fn result_at(&mut self, at: usize) -> Result<Output, GpuError> {
        let meta = self.results.get(at).cloned().unwrap_or_else(|| Meta::new(DType::F32, &[0]));
        let words = match Stored::of(meta.dtype)? {
            Stored::Packed | Stored::Bytes => self.scratch(DType::F32, &meta.shape)?,
            Stored::Float | Stored::Integer => self.scratch(meta.dtype, &meta.shape)?,
            Stored::Blocks => {
                let what = "no kernel computes quantised results".to_owned();
                return Err(GpuError::UnsupportedDType { dtype: meta.dtype, what });
            }
        };
        Ok(Output { words, dtype: meta.dtype })
    }

    /// Memory for what kernels write on the way to a result, one word per element whatever the dtype.
    pub(crate) fn scratch_output(&mut self, dtype: DType, shape: &[usize]) -> Result<Output, GpuError> {
        let dtype = if dtype.is_float() { DType::F32 } else { dtype };
        Ok(Output { words: self.scratch(dtype, shape)?, dtype })
    }

    /// Memory for a tensor.
    pub(crate) fn scratch(&mut self, dtype: DType, shape: &[usize]) -> Result<GpuTensor, GpuError> {
        let what = format!("a {dtype} result of shape {shape:?}");
        // Broadcasting can multiply to more than an address holds, which in a browser is 32 bits wide.
        let Some(numel) = shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size)) else {
            let needed = shape.iter().fold(1u64, |product, &size| product.saturating_mul(size as u64));
            let offered = self.gpu.memory.limits().max_buffer_size;
            return Err(GpuError::DoesNotFit { what, limit: "maxBufferSize", needed, offered });
        };
        let bytes = storage::buffer_bytes(dtype, numel)?;
        self.trail.bytes += bytes;
        let tensor = GpuTensor::over(self.gpu.allocate(bytes, &what)?, dtype, shape);
        if tensor.allocation().is_used() {
            self.used.push(tensor.clone());
        }
        Ok(tensor)
    }

    /// The only result, finished in its dtype.
    pub(crate) fn finish(&mut self, output: Output) -> Result<Vec<GpuTensor>, GpuError> {
        self.finish_all([output])
    }

    /// Several results, finished in their dtypes.
    pub(crate) fn finish_all(&mut self, outputs: impl IntoIterator<Item = Output>) -> Result<Vec<GpuTensor>, GpuError> {
        outputs.into_iter().map(|output| self.finish_one(output)).collect()
    }

    fn finish_one(&mut self, output: Output) -> Result<GpuTensor, GpuError> {
        let Output { words, dtype } = output;
        if words.dtype() == dtype {
            return Ok(words);
        }
        let packed = self.scratch(dtype, words.shape())?;
        // The kernel writes whole words, so for it the result is an array of integers.
        let target = Output { words: packed.clone(), dtype };
        let (dispatch, per_word) = if dtype.is_f8() {
            (Dispatch::new(&shaders::PACK_BYTES, ELEMENTWISE).constant("E5M2", dtype == DType::F8E5M2), 4)
        } else {
            (Dispatch::new(&shaders::PACK, ELEMENTWISE).constant("BFLOAT", dtype == DType::BF16), 2)
        };
        let dispatch = dispatch
            .read("input", &words, &[])
            .write("result", &target, &[])
            .size("elements", words.numel())
            .invocations(words.numel().div_ceil(per_word), ELEMENTWISE);
        self.dispatch(dispatch)?;
        Ok(packed)
    }

    /// Records a dispatch.
    pub(crate) fn dispatch(&mut self, mut dispatch: Dispatch) -> Result<(), GpuError> {
        if dispatch.is_idle() {
            return Ok(());
        }
        dispatch.seal()?;
        let parameters = dispatch.parameter_bytes()?;
        self.trail.kernels.push(dispatch.shader().name);
        self.recorded.push(Recorded { parameters, grid: dispatch.grid()?, dispatch });
        Ok(())
    }

    /// The WGSL of every dispatch recorded so far, without overrides.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> Vec<String> {
        self.recorded.iter().map(|record| record.dispatch.wgsl(record.dispatch.shader().body)).collect()
    }

    /// Compiles and submits what was recorded.
    pub(crate) fn submit(self) -> Result<Trail, GpuError> {
        let Pass { gpu, id, recorded, used, mut trail, .. } = self;
        if recorded.is_empty() && used.is_empty() {
            return Ok(trail);
        }
        let (parameters, offsets) = gather_parameters(gpu, &recorded)?;
        if recorded.iter().any(|record| record.dispatch.is_guarded()) {
            let allocation = gpu.allocate(4, "the guard of an i64 result")?;
            gpu.queue.write_buffer(allocation.buffer(), 0, &IN_RANGE.to_le_bytes());
            trail.guard = Some(GpuTensor::over(allocation, DType::I32, &[1]));
        }
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for tensor in &used {
            encoder.clear_buffer(tensor.allocation().buffer(), 0, None);
        }
        {
            let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            for (record, offset) in recorded.iter().zip(offsets) {
                let (pipeline, fresh) = gpu.pipelines.get(&gpu.device, &record.dispatch, id);
                trail.fresh.extend(fresh);
                let group = bind(gpu, &pipeline, record, parameters.buffer(), offset, trail.guard.as_ref());
                compute.set_pipeline(&pipeline.pipeline);
                compute.set_bind_group(0, &group, &[]);
                compute.dispatch_workgroups(record.grid.0, record.grid.1, 1);
            }
        }
        gpu.queue.submit([encoder.finish()]);
        Ok(trail)
    }
}

/// The parameters of all dispatches in one uniform buffer, and where each begins.
fn gather_parameters(gpu: &Gpu, recorded: &[Recorded]) -> Result<(Allocation, Vec<u64>), GpuError> {
    let alignment = gpu.memory.limits().min_uniform_buffer_offset_alignment.max(4) as usize;
    let mut bytes = Vec::new();
    let mut offsets = Vec::with_capacity(recorded.len());
    for record in recorded {
        bytes.resize(bytes.len().next_multiple_of(alignment), 0);
        offsets.push(bytes.len() as u64);
        bytes.extend(&record.parameters);
    }
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    let buffer = gpu.memory.allocate(bytes.len() as u64, usage, "parameters")?;
    gpu.queue.write_buffer(buffer.buffer(), 0, &bytes);
    Ok((buffer, offsets))
}

fn bind(
    gpu: &Gpu,
    pipeline: &Pipeline,
    record: &Recorded,
    parameters: &wgpu::Buffer,
    offset: u64,
    guard: Option<&GpuTensor>,
) -> wgpu::BindGroup {
    let uniform =
        wgpu::BufferBinding { buffer: parameters, offset, size: wgpu::BufferSize::new(record.parameters.len() as u64) };
    let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(uniform) }];
    let guard = guard.filter(|_| record.dispatch.is_guarded());
    for (binding, tensor) in (1..).zip(record.dispatch.tensors().chain(guard)) {
        entries.push(wgpu::BindGroupEntry { binding, resource: tensor.allocation().buffer().as_entire_binding() });
    }
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.layout,
        entries: &entries,
    })
}
