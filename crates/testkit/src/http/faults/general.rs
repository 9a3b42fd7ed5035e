//! The stream of a legacy session, which need not be there.

use crate::http::mode::{Mode, row};
use crate::http::plan::{Eras, General, Plan};
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] = &[
    row("get-404", "", "a legacy server that answers GET with 404", |_, plan| refused(plan, 404)),
    row("get-405", "", "… with 405", |_, plan| refused(plan, 405)),
    row("get-406", "", "… with 406", |_, plan| refused(plan, 406)),
    row("get-400", "", "… with 400", |_, plan| refused(plan, 400)),
    row("get-ends", "--retry MS", "… with a stream that ends at once and asks for 1 ms", ends),
    row("answer-on-get", "", "calls get 202 and are answered on the stream of the session", |_, plan| {
        plan.eras = Eras::Legacy;
        plan.answers_on_general = true;
    }),
];

fn refused(plan: &mut Plan, status: u16) {
    plan.eras = Eras::Legacy;
    plan.general = General::Refused(status);
}

fn ends(options: &Options, plan: &mut Plan) {
    plan.eras = Eras::Legacy;
    plan.general = General::EndsAtOnce;
    let retry = options.number("retry", 1);
    plan.shape("GET", move |shape| shape.retry = Some(retry));
}
