//! Logins with a real browser: headless Chromium, which the binary opens as it opens browsers on a desktop.
//!
//! - `browser`: Chromium, and somebody who sits before it
//! - `pages`: the pages that we leave a browser with
//! - `life`: everything that comes of a login, from the first to another person's

mod browser;
mod life;
mod pages;

pub(super) use life::checks as life;
pub(super) use pages::checks as pages;
