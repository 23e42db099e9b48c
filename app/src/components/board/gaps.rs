//! Operators that WebGPU does not have, by name.

use crate::state::Store;
use crate::state::address::History;
use crate::state::trace::OpenTrace;
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use taproot_engine::compare::Verdict;

/// The list, with how often each is missing and a way to the first.
#[component]
pub(super) fn Gaps(trace: Arc<OpenTrace>) -> impl IntoView {
    let store = Store::get();
    let gaps = Memo::new(move |_| {
        if store.counts.with(|counts| counts.gap) == 0 {
            return BTreeMap::new();
        }
        let mut gaps: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (at, case) in trace.summary.cases.iter().enumerate() {
            if trace.known(at).is_some_and(|known| known.verdict == Verdict::Gap) {
                gaps.entry(case.op.clone()).or_insert((0, at)).0 += 1;
            }
        }
        gaps
    });
    view! {
        <div class="gaps" data-testid="gaps" hidden=move || gaps.with(BTreeMap::is_empty)>
            <span class="gaps-title">"◌ Operators without a kernel:"</span>
            <ul class="chips">
                <For
                    each=move || gaps.get().into_iter().map(|(op, (count, first))| (op, count, first))
                    key=|gap| gap.clone()
                    let((op, count, first))
                >
                    <li>
                        <button class="chip" data-testid="gap" on:click=move |_| store.select(first, History::Push)>
                            {op}" ×"{count}
                        </button>
                    </li>
                </For>
            </ul>
        </div>
    }
}
