//! The top bar: the trace, how it stands, and what can be done.

use super::copy_link::CopyLink;
use super::gpu_badge::GpuBadge;
use super::theme_switch::ThemeSwitch;
use super::trace_chooser::TraceChooser;
use super::verdict::sign;
use crate::state::Store;
use crate::state::address::History;
use leptos::prelude::*;
use taproot_engine::compare::Verdict;

/// The top bar.
#[component]
pub(super) fn TopBar() -> impl IntoView {
    view! {
        <header class="top-bar">
            <h1 class="brand">"Taproot"</h1>
            <TraceChooser/>
            <Counts/>
            <RunButton/>
            <span class="spacer"></span>
            <CopyLink/>
            <GpuBadge/>
            <ThemeSwitch/>
        </header>
    }
}

#[component]
fn Counts() -> impl IntoView {
    let store = Store::get();
    let count = move |verdict: Verdict| {
        let of = Memo::new(move |_| store.counts.with(|counts| counts.of(verdict)));
        let go = move |_| {
            let from = store.selected();
            let next =
                store.trace.with_untracked(|trace| trace.as_ref().and_then(|trace| trace.next_with(verdict, from)));
            if let Some(next) = next {
                store.select(next, History::Push);
            }
        };
        view! {
            <button
                class="count"
                data-verdict=verdict.name()
                data-testid=format!("count-{}", verdict.name())
                aria-label=move || format!("{} {}; go to the next", of.get(), verdict.name())
                title=format!("Go to the next {}", verdict.name())
                disabled=move || of.get() == 0
                on:click=go
            >
                <span aria-hidden="true">{sign(Some(verdict))}</span>
                <span class="number">{move || of.get()}</span>
                <span class="count-name">{verdict.name()}</span>
            </button>
        }
    };
    view! {
        <div class="counts" data-testid="counts" role="group" aria-label="Verdicts">
            {[Verdict::Pass, Verdict::Warn, Verdict::Fail, Verdict::Gap].map(count).collect_view()}
        </div>
    }
}

#[component]
fn RunButton() -> impl IntoView {
    let store = Store::get();
    let is_running = move || store.is_replaying.get();
    let counts = move || store.counts.get();
    let label = move || {
        let counts = counts();
        match (is_running(), counts.done()) {
            (true, _) => "Cancel",
            (false, done) if done > 0 && done < counts.total => "Continue",
            (false, done) if done > 0 => "Run again",
            _ => "Run",
        }
    };
    let click = move |_| if store.is_replaying.get_untracked() { store.cancel() } else { store.replay() };
    view! {
        <div class="run">
            <button
                class="button"
                data-testid="run"
                disabled=move || !store.has_gpu() || store.trace.with(Option::is_none)
                on:click=click
            >
                {label}
            </button>
            <progress
                class="progress"
                data-testid="progress"
                max=move || counts().total.max(1)
                prop:value=move || counts().done() as f64
                aria-label="Cases replayed"
            ></progress>
            <span class="number progress-text">{move || format!("{} / {}", counts().done(), counts().total)}</span>
        </div>
    }
}
