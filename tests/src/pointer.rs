//! The mouse.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use crate::Browser;

/// A place in the viewport, in CSS pixels from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// How many moves a drag is made of, so that the page sees it pass, as with a hand.
const DRAG_MOVES: u32 = 8;

/// How long each of them takes.
const MOVE_TIME: Duration = Duration::from_millis(20);

impl Point {
    /// The point `dx` to the right of and `dy` below this one.
    #[must_use]
    pub fn offset(self, dx: f64, dy: f64) -> Self {
        Self { x: self.x + dx, y: self.y + dy }
    }
}

impl Browser {
    /// A point inside the first element that `css` selects: (0, 0) is its upper left corner, (1, 1) its lower right one.
    /// The element is scrolled into view first.
    ///
    /// # Errors
    /// If there is no such element.
    pub async fn point_in(&self, css: &str, across: f64, down: f64) -> Result<Point> {
        let element = self.find(css).await?;
        let script = "arguments[0].scrollIntoView({block: 'nearest', inline: 'nearest'}); \
                      const {x, y, width, height} = arguments[0].getBoundingClientRect(); return [x, y, width, height]";
        let [x, y, width, height]: [f64; 4] = self.driver.execute(script, [element.to_json()?]).await?.convert()?;
        Ok(Point { x: x + across * width, y: y + down * height })
    }

    /// The middle of the first element that `css` selects.
    ///
    /// # Errors
    /// If there is no such element.
    pub async fn centre_of(&self, css: &str) -> Result<Point> {
        self.point_in(css, 0.5, 0.5).await
    }

    /// Clicks the middle of the first element that `css` selects.
    ///
    /// # Errors
    /// If there is no such element, or another one covers it.
    pub async fn click(&self, css: &str) -> Result<()> {
        Ok(self.find(css).await?.click().await?)
    }

    /// Clicks at a point.
    ///
    /// # Errors
    /// If the point is outside the viewport.
    pub async fn click_at(&self, point: Point) -> Result<()> {
        let (x, y) = whole(point);
        Ok(self.mouse().move_to(x, y).click().perform().await?)
    }

    /// Moves the mouse to a point.
    ///
    /// # Errors
    /// If the point is outside the viewport.
    pub async fn hover(&self, point: Point) -> Result<()> {
        let (x, y) = whole(point);
        Ok(self.mouse().move_to(x, y).perform().await?)
    }

    /// Presses the left button at `from`, moves to `to` in several steps and releases it there.
    ///
    /// # Errors
    /// If a point is outside the viewport.
    pub async fn drag(&self, from: Point, to: Point) -> Result<()> {
        let (x, y) = whole(from);
        let mut mouse = self.mouse().move_to(x, y).click_and_hold();
        for step in 1..=DRAG_MOVES {
            let part = f64::from(step) / f64::from(DRAG_MOVES);
            let (x, y) = whole(from.offset((to.x - from.x) * part, (to.y - from.y) * part));
            mouse = mouse.move_to(x, y);
        }
        Ok(mouse.release().perform().await?)
    }

    /// Turns the wheel at a point by CSS pixels, away from oneself where negative. Only in Chromium.
    ///
    /// # Errors
    /// In Firefox.
    pub async fn wheel(&self, point: Point, pixels: f64) -> Result<()> {
        let event = json!({ "type": "mouseWheel", "x": point.x, "y": point.y, "deltaX": 0, "deltaY": pixels });
        self.cdp("Input.dispatchMouseEvent", event).await?;
        Ok(())
    }

    fn mouse(&self) -> thirtyfour::action_chain::ActionChain {
        self.driver.action_chain_with_delay(None, Some(MOVE_TIME))
    }
}

/// WebDriver's pointer moves in whole pixels.
fn whole(point: Point) -> (i64, i64) {
    (point.x.round() as i64, point.y.round() as i64)
}
