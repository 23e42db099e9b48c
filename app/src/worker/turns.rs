//! Giving way to messages.

use futures_channel::oneshot;
use wasm_bindgen::prelude::*;
use web_sys::{MessageChannel, MessageEvent};

/// Lets the event loop turn once, so that messages that have come are handled. A message to oneself takes microseconds, where a
/// timer takes at least four milliseconds.
pub(super) async fn give_way() {
    let Ok(channel) = MessageChannel::new() else { return };
    let (sender, turned) = oneshot::channel();
    let on_message = Closure::once_into_js(move |_: MessageEvent| {
        // The receiver below waits for exactly this.
        let _ = sender.send(());
    });
    channel.port1().set_onmessage(Some(on_message.unchecked_ref()));
    if channel.port2().post_message(&JsValue::NULL).is_ok() {
        // An error would mean that the sender was dropped without the message.
        let _ = turned.await;
    }
    channel.port1().close();
}
