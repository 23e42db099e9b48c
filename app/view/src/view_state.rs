//! The whole view as one value, and its form in the address.
//!
//! Links are kept for years: a version stands in each, upgraders bring old ones up to date, what is not understood is
//! reported and the rest is used. Keys stand in a fixed order and defaults are left out, so that equal views have equal links.

use crate::query;
use crate::scale::{Quantity, Scale};
use std::fmt;

/// Version of the links that are printed.
pub const VERSION: u32 = 1;

/// One per past version: rewrites the pairs of version n (position n − 1) to those of version n + 1.
static UPGRADERS: &[Upgrader] = &[];

type Pairs = Vec<(String, String)>;
type Upgrader = fn(Pairs) -> Pairs;

/// Digits of the trace's hash that a link carries: enough that no two traces share them by chance.
const HASH_DIGITS: usize = 16;

/// What one sees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewState {
    /// The trace.
    pub trace: TraceRef,
    /// First digits of the trace's content hash.
    pub hash: Option<String>,
    /// What WebGPU computes.
    pub plan: PlanRange,
    /// Position of the step.
    pub step: usize,
    /// Id of the selected operator; none means the app's own choice.
    pub op: Option<String>,
    /// Which of the operator's results.
    pub output: usize,
    /// Dimensions that run down and across; none means the last two.
    pub dims: Option<(usize, usize)>,
    /// Position along each dimension, for those that run neither down nor across; missing ones are 0.
    pub slice: Vec<usize>,
    /// What the heatmap shows.
    pub quantity: Quantity,
    /// How values become colours.
    pub scale: Scale,
    /// Which part of the plane is seen.
    pub window: Window,
}

/// Where the trace comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TraceRef {
    /// The first bundled sample.
    #[default]
    Default,
    /// A bundled sample by name.
    Sample(String),
    /// Any address.
    Url(String),
    /// Files of this machine: no link leads to them.
    Local(String),
}

/// The layers that WebGPU computes in the migration plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlanRange {
    /// All of them.
    #[default]
    All,
    /// None: everything is recorded.
    Nothing,
    /// From `first` to `last`, both included.
    Layers {
        /// Position of the first layer.
        first: usize,
        /// Position of the last layer.
        last: usize,
    },
}

/// The part of a plane that the heatmap shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// 1 shows the whole plane.
    pub zoom: f64,
    /// Row in the middle, in elements; `None` is the plane's middle.
    pub centre: Option<(f64, f64)>,
}

impl Default for Window {
    fn default() -> Self {
        Window { zoom: 1.0, centre: None }
    }
}

/// A view read from an address, and what of the address was of no use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The view.
    pub state: ViewState,
    /// One sentence for each part that was dropped.
    pub dropped: Vec<String>,
}

/// An address that must not be read further.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this link was made by a newer Taproot (link version {found}, this page knows {known}): reload the page to get it"
)]
pub struct NewerVersion {
    /// Version of the link.
    pub found: u32,
    /// Newest version known.
    pub known: u32,
}

impl PlanRange {
    /// The range as half-open positions among `layers` layers; what lies outside is cut off.
    pub fn positions(self, layers: usize) -> std::ops::Range<usize> {
        match self {
            PlanRange::All => 0..layers,
            PlanRange::Nothing => 0..0,
            PlanRange::Layers { first, last } => first.min(layers)..last.saturating_add(1).min(layers),
        }
    }

    /// The plan that computes `positions` of `layers` layers.
    pub fn from_positions(positions: std::ops::Range<usize>, layers: usize) -> Self {
        match positions {
            range if range.start >= range.end => PlanRange::Nothing,
            range if range.start == 0 && range.end >= layers => PlanRange::All,
            range => PlanRange::Layers { first: range.start, last: range.end - 1 },
        }
    }
}

impl ViewState {
    /// Reads the query part of an address.
    ///
    /// # Errors
    /// When a newer version made it.
    pub fn parse(query: &str) -> Result<Parsed, NewerVersion> {
        let mut pairs = query::parse(query);
        let mut parsed = Parsed::default();
        let version = match pairs.iter().find(|(key, _)| key == "v").map(|(_, value)| value.parse::<u32>()) {
            Some(Ok(version)) if version >= 1 => version,
            Some(_) => {
                parsed.dropped.push("the link's version is not a number".to_owned());
                VERSION
            }
            // An address typed by hand.
            None => VERSION,
        };
        if version > VERSION {
            return Err(NewerVersion { found: version, known: VERSION });
        }
        pairs.retain(|(key, _)| key != "v");
        for (key, value) in upgrade(pairs, version, UPGRADERS) {
            if let Err(reason) = parsed.state.set(&key, &value) {
                parsed.dropped.push(format!("the link's part '{key}={value}' {reason}"));
            }
        }
        Ok(parsed)
    }

    /// The query part of the address, without `?`; empty for the default view.
    pub fn print(&self) -> String {
        // A new field does not compile until it has its place here.
        let ViewState { trace, hash, plan, step, op, output, dims, slice, quantity, scale, window } = self;
        let mut pairs: Pairs = Vec::new();
        let mut put = |key: &str, value: String| pairs.push((key.to_owned(), value));
        match trace {
            TraceRef::Default => {}
            TraceRef::Sample(name) => put("sample", name.clone()),
            TraceRef::Url(url) => put("trace", url.clone()),
            TraceRef::Local(name) => put("local", name.clone()),
        }
        if let Some(hash) = hash {
            put("hash", hash.clone());
        }
        match plan {
            PlanRange::All => {}
            PlanRange::Nothing => put("plan", "none".to_owned()),
            PlanRange::Layers { first, last } => put("plan", format!("{first}-{last}")),
        }
        if *step != 0 {
            put("step", step.to_string());
        }
        if let Some(op) = op {
            put("op", op.clone());
        }
        if *output != 0 {
            put("out", output.to_string());
        }
        if let Some((down, across)) = dims {
            put("dims", format!("{down},{across}"));
        }
        if slice.iter().any(|&index| index != 0) {
            put("slice", join(slice, ","));
        }
        if *quantity != Quantity::default() {
            put("show", quantity.name().to_owned());
        }
        if *scale != Scale::default() {
            put("scale", scale.to_string());
        }
        if window.zoom != 1.0 {
            put("zoom", window.zoom.to_string());
        }
        if let Some((row, column)) = window.centre {
            put("at", format!("{row},{column}"));
        }
        if !pairs.is_empty() {
            pairs.insert(0, ("v".to_owned(), VERSION.to_string()));
        }
        query::print(&pairs)
    }

    /// Forgets what belongs to one tensor: another is looked at. How it is looked at stays.
    pub fn start_over(&mut self) {
        self.output = 0;
        self.dims = None;
        self.slice.clear();
        self.window = Window::default();
    }

    /// Keeps the first digits of a full content hash.
    pub fn set_hash(&mut self, hash: &str) {
        self.hash = Some(hash.chars().take(HASH_DIGITS).collect());
    }

    /// Whether the link's hash is that of the trace whose full hash is given; a link without one fits any.
    pub fn fits_hash(&self, full: &str) -> bool {
        self.hash.as_deref().is_none_or(|digits| full.starts_with(digits))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "sample" => self.trace = TraceRef::Sample(value.to_owned()),
            "trace" => self.trace = TraceRef::Url(value.to_owned()),
            "local" => self.trace = TraceRef::Local(value.to_owned()),
            "hash" => self.hash = Some(hash(value)?),
            "plan" => self.plan = plan(value)?,
            "step" => self.step = position(value)?,
            "op" => self.op = Some(value.to_owned()),
            "out" => self.output = position(value)?,
            "dims" => self.dims = Some(dims(value)?),
            "slice" => self.slice = value.split(',').map(position).collect::<Result<_, _>>()?,
            "show" => {
                self.quantity = Quantity::from_name(value)
                    .ok_or_else(|| format!("must be one of {}", Quantity::ALL.map(Quantity::name).join(", ")))?
            }
            "scale" => self.scale = value.parse()?,
            "zoom" => {
                self.window.zoom = finite(value).filter(|zoom| *zoom >= 1.0).ok_or("must be a number of at least 1")?;
            }
            "at" => self.window.centre = Some(centre(value)?),
            _ => return Err("is not known to this version".to_owned()),
        }
        Ok(())
    }
}

/// Applies the upgraders from `version` on.
fn upgrade(pairs: Pairs, version: u32, upgraders: &[Upgrader]) -> Pairs {
    upgraders.iter().skip(version as usize - 1).fold(pairs, |pairs, upgrader| upgrader(pairs))
}

fn position(value: &str) -> Result<usize, String> {
    // Larger numbers are no positions in anything, and some would overflow later.
    value.parse::<u32>().map(|position| position as usize).map_err(|_| "must be a whole number".to_owned())
}

fn finite(value: &str) -> Option<f64> {
    value.parse::<f64>().ok().filter(|number| number.is_finite())
}

fn hash(value: &str) -> Result<String, String> {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    if (8..=64).contains(&value.len()) && value.chars().all(is_digit) {
        Ok(value.to_owned())
    } else {
        Err("must be 8 to 64 hexadecimal digits".to_owned())
    }
}

fn plan(value: &str) -> Result<PlanRange, String> {
    let rule = || "must be `none` or two layers like 2-5".to_owned();
    if value == "none" {
        return Ok(PlanRange::Nothing);
    }
    let (first, last) = value.split_once('-').ok_or_else(rule)?;
    let (first, last) = (position(first)?, position(last)?);
    if first <= last { Ok(PlanRange::Layers { first, last }) } else { Err(rule()) }
}

fn dims(value: &str) -> Result<(usize, usize), String> {
    let dims = value.split_once(',').and_then(|(down, across)| Some((position(down).ok()?, position(across).ok()?)));
    dims.filter(|(down, across)| down != across).ok_or_else(|| "must be two different dimensions like 1,3".to_owned())
}

fn centre(value: &str) -> Result<(f64, f64), String> {
    let numbers = value.split_once(',').and_then(|(row, column)| Some((finite(row)?, finite(column)?)));
    numbers.filter(|(row, column)| *row >= 0.0 && *column >= 0.0).ok_or_else(|| "must be two numbers".to_owned())
}

fn join(numbers: &[usize], separator: &str) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    numbers.join(separator)
}

impl fmt::Display for ViewState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(query: &str) -> Parsed {
        ViewState::parse(query).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_default_view_has_an_empty_address() {
        assert_eq!(ViewState::default().print(), "");
        assert_eq!(parse(""), Parsed::default());
    }

    /// A link as version 1 printed it. It must be read the same for ever; if this fails, an upgrader is missing.
    #[test]
    fn a_link_of_version_1() {
        let link = "?v=1&sample=all-MiniLM-L6-v2&hash=0123456789abcdef&plan=2-4&step=1&op=s1.encoder.layer.3.attention.self.query.linear\
                    &out=1&dims=1,3&slice=0,0,3&show=actual&scale=-1.5..2&zoom=8&at=12.5,100";
        let state = ViewState {
            trace: TraceRef::Sample("all-MiniLM-L6-v2".to_owned()),
            hash: Some("0123456789abcdef".to_owned()),
            plan: PlanRange::Layers { first: 2, last: 4 },
            step: 1,
            op: Some("s1.encoder.layer.3.attention.self.query.linear".to_owned()),
            output: 1,
            dims: Some((1, 3)),
            slice: vec![0, 0, 3],
            quantity: Quantity::Actual,
            scale: Scale::Fixed { low: -1.5, high: 2.0 },
            window: Window { zoom: 8.0, centre: Some((12.5, 100.0)) },
        };
        assert_eq!(parse(link), Parsed { state: state.clone(), dropped: Vec::new() });
        assert_eq!(format!("?{}", state.print()), link);
    }

    #[test]
    fn what_is_not_understood_is_reported_and_the_rest_is_used() {
        let parsed = parse("v=1&colour=red&plan=5-2&step=x&out=1&zoom=NaN&scale=2..1&hash=XYZ");
        assert_eq!(parsed.state, ViewState { output: 1, ..ViewState::default() });
        assert_eq!(parsed.dropped.len(), 6, "{:?}", parsed.dropped);
        assert!(parsed.dropped.iter().any(|sentence| sentence.contains("colour=red")));
    }

    #[test]
    fn a_newer_link_is_refused() {
        assert_eq!(ViewState::parse("v=99&step=1"), Err(NewerVersion { found: 99, known: VERSION }));
    }

    #[test]
    fn upgraders_run_from_the_links_version_on() {
        fn rename(mut pairs: Pairs) -> Pairs {
            for (key, _) in &mut pairs {
                if key == "operator" {
                    *key = "op".to_owned();
                }
            }
            pairs
        }
        fn mark(mut pairs: Pairs) -> Pairs {
            pairs.push(("step".to_owned(), "2".to_owned()));
            pairs
        }
        let old = vec![("operator".to_owned(), "a".to_owned())];
        let keys = |version| {
            upgrade(old.clone(), version, &[rename, mark]).into_iter().map(|(key, _)| key).collect::<Vec<_>>()
        };
        assert_eq!(keys(1), ["op", "step"]);
        assert_eq!(keys(2), ["operator", "step"]);
        assert_eq!(keys(3), ["operator"]);
    }

    #[test]
    fn the_upgrader_chain_has_no_gap() {
        assert_eq!(UPGRADERS.len() + 1, VERSION as usize);
    }

    #[test]
    fn plans_are_cut_to_the_layers_there_are() {
        assert_eq!(PlanRange::All.positions(8), 0..8);
        assert_eq!(PlanRange::Layers { first: 6, last: 20 }.positions(8), 6..8);
        assert_eq!(PlanRange::from_positions(0..8, 8), PlanRange::All);
        assert_eq!(PlanRange::from_positions(3..3, 8), PlanRange::Nothing);
        assert_eq!(PlanRange::from_positions(3..4, 8), PlanRange::Layers { first: 3, last: 3 });
    }

    fn any_trace() -> impl Strategy<Value = TraceRef> {
        prop_oneof![
            Just(TraceRef::Default),
            ".+".prop_map(TraceRef::Sample),
            "https?://[a-z]{1,8}/.{0,20}".prop_map(TraceRef::Url),
            ".+".prop_map(TraceRef::Local),
        ]
    }

    fn any_plan() -> impl Strategy<Value = PlanRange> {
        let layers =
            (0usize..2000, 0usize..2000).prop_map(|(a, b)| PlanRange::Layers { first: a.min(b), last: a.max(b) });
        prop_oneof![Just(PlanRange::All), Just(PlanRange::Nothing), layers]
    }

    fn any_scale() -> impl Strategy<Value = Scale> {
        let fixed = (-1e30f64..1e30, 1e-9f64..1e30)
            .prop_filter_map("rounding ate the width", |(low, width)| Scale::fixed(low, low + width));
        prop_oneof![Just(Scale::Auto), fixed]
    }

    fn any_window() -> impl Strategy<Value = Window> {
        (1f64..1e5, proptest::option::of((0f64..1e6, 0f64..1e6))).prop_map(|(zoom, centre)| Window { zoom, centre })
    }

    prop_compose! {
        fn any_state()(
            trace in any_trace(),
            hash in proptest::option::of("[0-9a-f]{16}"),
            plan in any_plan(),
            step in 0usize..10_000,
            op in proptest::option::of(".*"),
            output in 0usize..8,
            dims in proptest::option::of((0usize..4, 4usize..8)),
            // All zero is the same as empty, and printed so.
            slice in proptest::collection::vec(0usize..100, 0..6).prop_filter("default", |s| s.is_empty() || s.iter().any(|&i| i != 0)),
            quantity in proptest::sample::select(&Quantity::ALL[..]),
            scale in any_scale(),
            window in any_window(),
        ) -> ViewState {
            ViewState { trace, hash, plan, step, op, output, dims, slice, quantity, scale, window }
        }
    }

    proptest! {
        #[test]
        fn every_view_survives_its_address(state in any_state()) {
            let parsed = parse(&state.print());
            prop_assert_eq!(&parsed.dropped, &Vec::<String>::new());
            prop_assert_eq!(parsed.state, state);
        }

        #[test]
        fn no_address_panics(query in ".*") {
            let _ = ViewState::parse(&query);
        }

        #[test]
        fn what_was_read_prints_to_a_fixed_point(query in "(([a-z]{1,6}|plan|step|scale|zoom|at|slice|out)=[-0-9.,a-z]{0,8}&){0,8}") {
            if let Ok(parsed) = ViewState::parse(&query) {
                let printed = parsed.state.print();
                prop_assert_eq!(parse(&printed).state.print(), printed);
            }
        }
    }
}
