//! Compiled kernels.

use super::GpuError;
use super::dispatch::Dispatch;
use super::overrides::{Checked, KernelOverride};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A compiled kernel and the layout of its bindings.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
}

/// A kernel compiled just now, whose errors are not known yet.
#[derive(Debug)]
pub(crate) struct Fresh {
    key: String,
    kernel: &'static str,
    /// Lines of the kernel's own text, which stands first.
    own_lines: u32,
    module: wgpu::ShaderModule,
}

impl Fresh {
    /// The first compile error, if there is one.
    pub(crate) async fn compile_error(&self) -> Option<GpuError> {
        let info = self.module.get_compilation_info().await;
        let error =
            info.messages.into_iter().find(|message| message.message_type == wgpu::CompilationMessageType::Error)?;
        let place = error.location.filter(|place| (1..=self.own_lines).contains(&place.line_number));
        Some(GpuError::Shader {
            kernel: self.kernel.to_owned(),
            line: place.map(|place| place.line_number),
            column: place.map(|place| place.line_position),
            message: error.message,
        })
    }
}

/// All compiled kernels, by their full text.
#[derive(Debug, Default)]
pub(crate) struct Pipelines {
    compiled: Mutex<HashMap<String, Pipeline>>,
    overrides: Vec<Checked>,
}

impl Pipelines {
    pub(crate) fn set_overrides(&mut self, overrides: Vec<KernelOverride>) -> Result<(), GpuError> {
        self.overrides = overrides.into_iter().map(Checked::new).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The pipeline for a dispatch of the operator `id`, compiled if it is new.
    pub(crate) fn get(&self, device: &wgpu::Device, dispatch: &Dispatch, id: &str) -> (Pipeline, Option<Fresh>) {
        let shader = dispatch.shader();
        let own = self.overrides.iter().rev().find_map(|given| given.text_for(shader, id)).unwrap_or(shader.body);
        let key = dispatch.wgsl(own);
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = compiled.get(&key) {
            return (pipeline.clone(), None);
        }
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(shader.name),
            source: wgpu::ShaderSource::Wgsl(key.as_str().into()),
        });
        let pipeline = compile(device, dispatch, &module);
        compiled.insert(key.clone(), pipeline.clone());
        let own_lines = u32::try_from(own.lines().count()).unwrap_or(u32::MAX);
        (pipeline, Some(Fresh { key, kernel: shader.name, own_lines, module }))
    }

    /// Drops kernels that turned out broken, so that they are compiled, and complained about, again.
    pub(crate) fn forget(&self, fresh: &[Fresh]) {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        for broken in fresh {
            compiled.remove(&broken.key);
        }
    }
}

/// The layout is written out, not derived from the shader: a kernel that leaves a binding unused stays valid.
fn compile(device: &wgpu::Device, dispatch: &Dispatch, module: &wgpu::ShaderModule) -> Pipeline {
    let entries: Vec<_> = dispatch.binding_types().enumerate().map(|(binding, ty)| entry(binding as u32, ty)).collect();
    let name = Some(dispatch.shader().name);
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: name, entries: &entries });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: name,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: name,
        layout: Some(&pipeline_layout),
        module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    Pipeline { pipeline, layout }
}

fn entry(binding: u32, ty: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    }
}
