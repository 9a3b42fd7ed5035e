//! What notifications get, other than 202.

use crate::http::mode::{Mode, row};
use crate::http::plan::{Eras, Plan};
use crate::http::response::Response;

pub(in crate::http) const MODES: &[Mode] = &[
    row("notified-200", "", "a legacy server: notifications get 200 and nothing", |_, plan| {
        get(plan, Response::empty(200));
    }),
    row("notified-204", "", "… 204", |_, plan| get(plan, Response::empty(204))),
    row("notified-json", "", "… 200 and null", |_, plan| get(plan, Response::json(200, "null"))),
    row("notified-500", "", "… 500 and a page", |_, plan| get(plan, Response::html(500))),
];

fn get(plan: &mut Plan, response: Response) {
    plan.eras = Eras::Legacy;
    plan.accepted = response;
}
