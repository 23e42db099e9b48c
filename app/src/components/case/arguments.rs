//! Arguments and results of the selected operator.

use crate::protocol::{ArgumentValue, CaseDescription, TensorDescription};
use crate::state::Store;
use leptos::prelude::*;
use taproot_engine::trace::Role;
use taproot_view::number::significant;

/// The table.
#[component]
pub(super) fn Arguments() -> impl IntoView {
    let store = Store::get();
    view! {
        <section class="arguments" aria-label="Arguments" data-testid="arguments">
            <h3>"Arguments"</h3>
            <table class="facts arguments-table">
                <tbody>{move || store.description.with(|description| description.as_ref().map(rows))}</tbody>
            </table>
        </section>
    }
}

fn rows(description: &CaseDescription) -> impl IntoView + use<> {
    let arguments = description.arguments.iter().map(|argument| match &argument.value {
        ArgumentValue::Plain(text) => {
            view! { <tr><th scope="row">{argument.name.clone()}</th><td class="mono">{text.clone()}</td></tr> }
                .into_any()
        }
        ArgumentValue::Tensors(tensors) => tensor_rows(&argument.name, tensors).into_any(),
    });
    let outputs = tensor_rows("→", &description.outputs);
    let source = description
        .source
        .clone()
        .map(|source| view! { <tr><th scope="row">"source"</th><td class="mono">{source}</td></tr> });
    let differs = description.nondeterministic.map(|difference| {
        let text = format!("two runs of the source differed by up to {}", significant(difference, 3));
        view! { <tr><th scope="row">"note"</th><td>{text}</td></tr> }
    });
    view! {
        {arguments.collect_view()}
        {outputs}
        {source}
        {differs}
    }
}

fn tensor_rows(name: &str, tensors: &[TensorDescription]) -> impl IntoView + use<> {
    let row = |(at, tensor): (usize, &TensorDescription)| {
        let shape = format!("{} {:?}", tensor.dtype, tensor.shape);
        let about = match (tensor.role, tensor.is_view) {
            (role, true) => format!("{}, a view", role_name(role)),
            (role, false) => role_name(role).to_owned(),
        };
        view! {
            <tr>
                <th scope="row">{if at == 0 { name.to_owned() } else { String::new() }}</th>
                <td>
                    <span class="mono">{shape}</span>
                    <span class="tensor-name mono" title=format!("{} ({about})", tensor.name)>{tensor.name.clone()}</span>
                </td>
            </tr>
        }
    };
    tensors.iter().enumerate().map(row).collect_view()
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Weight => "weight",
        Role::Input => "input",
        Role::Constant => "constant",
        Role::Activation => "activation",
    }
}
