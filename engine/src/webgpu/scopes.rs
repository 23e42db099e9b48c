//! Error scopes: WebGPU reports errors late and elsewhere, so each piece of work runs inside scopes that catch them.

use std::future::Future;

/// What the scopes around one piece of work caught.
#[derive(Debug, Default)]
pub(crate) struct Caught {
    /// The work broke a rule of WebGPU.
    pub(crate) validation: Option<String>,
    /// An allocation failed.
    pub(crate) out_of_memory: bool,
    /// The implementation failed.
    pub(crate) internal: Option<String>,
}

impl Caught {
    /// Whether nothing was caught.
    pub(crate) fn is_clean(&self) -> bool {
        self.validation.is_none() && !self.out_of_memory && self.internal.is_none()
    }
}

/// The scopes around one piece of work, which must be recorded and submitted before [`Scopes::pop`] without waiting in
/// between: scopes belong to a thread, and other work would fall into them.
#[derive(Debug)]
pub(crate) struct Scopes {
    // Dropped in this order when work is given up: the reverse of `push`.
    internal: wgpu::ErrorScopeGuard,
    out_of_memory: wgpu::ErrorScopeGuard,
    validation: wgpu::ErrorScopeGuard,
}

impl Scopes {
    /// Opens the scopes.
    pub(crate) fn push(device: &wgpu::Device) -> Self {
        let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let out_of_memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
        Scopes { internal, out_of_memory, validation }
    }

    /// Closes the scopes at once; the future resolves when the errors are known.
    pub(crate) fn pop(self) -> impl Future<Output = Caught> {
        // In the reverse order of `push`, as WebGPU demands.
        let internal = self.internal.pop();
        let out_of_memory = self.out_of_memory.pop();
        let validation = self.validation.pop();
        async move {
            Caught {
                internal: internal.await.map(|error| message(&error)),
                out_of_memory: out_of_memory.await.is_some(),
                validation: validation.await.map(|error| message(&error)),
            }
        }
    }
}

/// An error's own text and those of its causes.
fn message(error: &wgpu::Error) -> String {
    match error {
        wgpu::Error::OutOfMemory { .. } => "out of memory".to_owned(),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => description.clone(),
    }
}
