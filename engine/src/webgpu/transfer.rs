//! Tensors between host and GPU.

use super::device::Gpu;
use super::scopes::Scopes;
use super::storage::{self, Stored};
use super::{GpuError, GpuTensor, KernelFailure, kernels};
use crate::graph::{Call, Meta};
use crate::tensor::HostTensor;

/// Bytes handed to the queue at once: it copies them into memory of its own, which should not double a big weight.
const UPLOAD_CHUNK: usize = 32 << 20;

impl Gpu {
    /// Copies a tensor to the GPU. Whether its memory sufficed shows when an operator uses it; [`Gpu::upload_checked`]
    /// waits for the answer.
    ///
    /// # Errors
    /// When it holds integers beyond 32 bits, its dtype has no form on the GPU, it exceeds a limit of the device, or the
    /// device is lost.
    pub fn upload(&self, tensor: &HostTensor) -> Result<GpuTensor, GpuError> {
        self.check_alive()?;
        let words = storage::to_words(tensor)?;
        let bytes = storage::buffer_bytes(tensor.dtype(), tensor.numel())?;
        let what = format!("a {} tensor of shape {:?}", tensor.dtype(), tensor.shape());
        let allocation = self.allocate(bytes, &what)?;
        for (index, chunk) in words.chunks(UPLOAD_CHUNK).enumerate() {
            self.queue.write_buffer(allocation.buffer(), (index * UPLOAD_CHUNK) as u64, chunk);
        }
        Ok(GpuTensor::over(allocation, tensor.dtype(), tensor.shape()))
    }

    /// [`Gpu::upload`], and waits to hear whether the memory sufficed.
    ///
    /// # Errors
    /// As [`Gpu::upload`], and when memory runs out.
    pub async fn upload_checked(&self, tensor: &HostTensor) -> Result<GpuTensor, GpuError> {
        let scopes = Scopes::push(&self.device);
        let outcome = self.upload(tensor);
        let caught = scopes.pop().await;
        self.check_alive()?;
        if caught.is_clean() {
            return outcome;
        }
        self.memory.distrust();
        let what = format!("a {} tensor of shape {:?}", tensor.dtype(), tensor.shape());
        if caught.out_of_memory {
            let bytes = storage::buffer_bytes(tensor.dtype(), tensor.numel())?;
            return Err(GpuError::OutOfMemory { what, bytes });
        }
        let message = caught.validation.or(caught.internal).unwrap_or_default();
        Err(GpuError::Internal(Box::new(KernelFailure {
            op: "upload".to_owned(),
            id: what,
            kernel: "none".to_owned(),
            message,
        })))
    }

    /// Copies a tensor back, made contiguous, in its own dtype.
    ///
    /// # Errors
    /// When reading back fails, memory runs out, or the device is lost.
    pub async fn download(&self, tensor: &GpuTensor) -> Result<HostTensor, GpuError> {
        let tensor = self.contiguous(tensor).await?;
        let bytes = storage::buffer_bytes(tensor.dtype(), tensor.numel())?;
        if tensor.numel() == 0 {
            return storage::from_words(tensor.dtype(), tensor.shape(), &[]);
        }
        let words = self.read(std::slice::from_ref(&tensor), bytes).await?;
        storage::from_words(tensor.dtype(), tensor.shape(), &words)
    }

    /// The bits of the first element of each tensor, all of dtypes of one word per element, in one round.
    pub(super) async fn download_words(&self, tensors: &[GpuTensor]) -> Result<Vec<u32>, GpuError> {
        if tensors.is_empty() {
            return Ok(Vec::new());
        }
        let bytes = self.read(tensors, 4).await?;
        let (words, _) = bytes.as_chunks();
        Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// `tensor` itself where its elements can be copied as they lie, else a contiguous copy.
    async fn contiguous(&self, tensor: &GpuTensor) -> Result<GpuTensor, GpuError> {
        let one_word_each = matches!(Stored::of(tensor.dtype())?, Stored::Float | Stored::Integer);
        if tensor.is_whole() || (one_word_each && tensor.layout().is_contiguous()) {
            return Ok(tensor.clone());
        }
        let call = Call::new("clone").tensor_arg("input", tensor.clone());
        let meta = Meta::new(tensor.dtype(), tensor.shape());
        let (copies, submitted) = self.submit_kernel("download", &call, vec![meta], kernels::movement::clone)?;
        self.settle([submitted]).await.map_err(|failed| failed.error)?;
        copies.into_iter().next().ok_or_else(|| GpuError::Download("the copy gave no tensor".to_owned()))
    }

    /// The first `each` bytes of each tensor, one after the other.
    async fn read(&self, tensors: &[GpuTensor], each: u64) -> Result<Vec<u8>, GpuError> {
        self.check_alive()?;
        let scopes = Scopes::push(&self.device);
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let bytes = each * tensors.len() as u64;
        let staging = self.memory.allocate(bytes, usage, "reading back")?;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (at, tensor) in (0..).zip(tensors) {
            // Only dtypes of one word per element get here with an offset.
            let offset = tensor.layout().offset as u64 * 4;
            encoder.copy_buffer_to_buffer(tensor.allocation().buffer(), offset, staging.buffer(), at * each, each);
        }
        self.queue.submit([encoder.finish()]);
        let (sender, receiver) = futures_channel::oneshot::channel();
        staging.buffer().map_async(wgpu::MapMode::Read, .., move |outcome| drop(sender.send(outcome)));
        let caught = scopes.pop();
        self.wait();
        let caught = caught.await;
        let mapped = receiver.await;
        self.check_alive()?;
        if !caught.is_clean() {
            self.memory.distrust();
        }
        if caught.out_of_memory {
            return Err(GpuError::OutOfMemory { what: "reading back".to_owned(), bytes });
        }
        if let Some(message) = caught.validation.or(caught.internal) {
            return Err(GpuError::Download(message));
        }
        match mapped {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(GpuError::Download(error.to_string())),
            Err(_) => return Err(GpuError::Download("the device gave no answer".to_owned())),
        }
        let view = staging.buffer().get_mapped_range(..).map_err(|error| GpuError::Download(error.to_string()))?;
        Ok(view.to_vec())
    }
}
