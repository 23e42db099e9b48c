//! Values for the heatmap.

use super::Host;
use super::session::Session;
use crate::protocol::{ElementRequest, Grid, GridRequest, RequestId, Response};
use js_sys::{Float32Array, Uint8Array};
use taproot_engine::compare::heatmap::{self, HeatmapError, Quantity, Region, Subject};
use taproot_engine::replay::CaseTensors;

impl Host {
    /// A part of a plane; `None` where a newer request took its place.
    pub(super) async fn grid(&self, id: RequestId, session: &Session, request: GridRequest) -> Option<Response> {
        let tensors = session.tensors(request.of.operator, request.of.output).await;
        if self.newest.grid.get() != id {
            return None;
        }
        Some(match tensors {
            Ok(tensors) => grid(&subject(&tensors), request).map_or_else(failed, Response::Grid),
            Err(error) => failed(error),
        })
    }

    /// An element from every side; `None` where a newer request took its place.
    pub(super) async fn element(&self, id: RequestId, session: &Session, request: ElementRequest) -> Option<Response> {
        let tensors = session.tensors(request.of.operator, request.of.output).await;
        if self.newest.element.get() != id {
            return None;
        }
        let index = request.of.plane.index_of(request.row, request.column);
        Some(match tensors {
            Ok(tensors) => heatmap::element(&subject(&tensors), &index)
                .map_or_else(failed, |element| Response::Element(Box::new(element))),
            Err(error) => failed(error),
        })
    }
}

fn failed(error: impl std::fmt::Display) -> Response {
    Response::Failed(error.to_string())
}

fn subject(tensors: &CaseTensors) -> Subject<'_> {
    Subject { expected: &tensors.source, actual: tensors.target.as_ref(), oracle: tensors.oracle.as_ref() }
}

fn grid(subject: &Subject<'_>, request: GridRequest) -> Result<Grid, HeatmapError> {
    let GridRequest { of, quantity, region, max_width, max_height } = &request;
    let grid = heatmap::grid(subject, *quantity, &of.plane, Some(*region), *max_width, *max_height)?;
    let (mut min, mut max) = (grid.min, grid.max);
    // One scale for both sides, so that going from one to the other shows what differs.
    let other = match quantity {
        Quantity::Expected if subject.actual.is_some() => Some(Quantity::Actual),
        Quantity::Actual => Some(Quantity::Expected),
        _ => None,
    };
    if let Some(other) = other {
        let corner = Region { row: 0, col: 0, rows: 1, cols: 1 };
        let range = heatmap::grid(subject, other, &of.plane, Some(corner), 1, 1)?;
        (min, max) = (min.min(range.min), max.max(range.max));
    }
    Ok(Grid {
        width: grid.width,
        height: grid.height,
        values: Float32Array::from(grid.values.as_slice()),
        non_finite: Uint8Array::from(grid.nonfinite.as_slice()),
        min,
        max,
        request,
    })
}
