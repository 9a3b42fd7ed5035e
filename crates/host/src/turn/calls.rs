//! Calls are made: one after the other, and side by side where they say that they change nothing.

use std::sync::Arc;

use codewhale_mcp_protocol::Json;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::context::Context;
use super::outcome::Outcome;
use super::permission::{Permission, ask};
use super::prepared::{Prepared, Target};
use crate::approval::{Decision, remedy};
use crate::helpers;
use crate::model::ToolCall;

/// The most calls that are made side by side.
const BESIDE: usize = 8;

/// What came of the calls of one answer.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// For the model: the id of each call and what came of it, in the order of the calls.
    pub(super) results: Vec<(String, String)>,
    /// Calls that were not allowed.
    pub(super) denials: Vec<Value>,
    /// Why the turn is to end, if it is.
    pub(super) stop: Option<String>,
}

/// What came of one call.
struct One {
    at: usize,
    text: String,
    denial: Option<Value>,
    stop: Option<String>,
}

/// Makes the calls of an answer. Dropping the future gives them up.
pub(super) async fn make(context: &Arc<Context>, calls: &[ToolCall]) -> Made {
    let mut made = Made::default();
    let mut texts: Vec<Option<String>> = vec![None; calls.len()];
    let mut running = JoinSet::new();
    let mut begun = 0;
    for (at, call) in calls.iter().enumerate() {
        let prepared = Prepared::of(context, call).await;
        let beside = prepared.as_ref().is_ok_and(Prepared::runs_beside_others);
        // What may change something waits for those before it, and those behind it wait for it.
        finish(&mut running, if beside { BESIDE - 1 } else { 0 }, &mut made, &mut texts).await;
        if made.stop.is_some() {
            break;
        }
        let (context, call) = (context.clone(), call.clone());
        running.spawn(async move { one(&context, at, &call, prepared).await });
        begun = at + 1;
        if !beside {
            finish(&mut running, 0, &mut made, &mut texts).await;
        }
    }
    finish(&mut running, 0, &mut made, &mut texts).await;
    for (call, text) in calls.iter().zip(&mut texts).take(begun).filter(|(_, text)| text.is_none()) {
        let outcome = Outcome::failed("this is a fault of codewhale: the call broke off");
        tell(context, call, &outcome).await;
        *text = Some(outcome.text);
    }
    let done = calls.iter().zip(texts).filter_map(|(call, text)| Some((call.id.clone(), text?)));
    made.results = done.collect();
    made
}

/// Waits until so many calls are left.
async fn finish(running: &mut JoinSet<One>, left: usize, made: &mut Made, texts: &mut [Option<String>]) {
    while running.len() > left
        && let Some(one) = running.join_next().await
    {
        // A call that panicked has no result yet.
        let Ok(one) = one else { continue };
        texts[one.at] = Some(one.text);
        made.denials.extend(one.denial);
        made.stop = made.stop.take().or(one.stop);
    }
}

/// Makes one call and tells the caller what came of it.
async fn one(context: &Context, at: usize, call: &ToolCall, prepared: Result<Prepared, String>) -> One {
    let (outcome, denial, stop) = match prepared {
        Err(why) => (Outcome::failed(why), None, None),
        Ok(prepared) => allowed(context, prepared).await,
    };
    let outcome = outcome.bounded(context).await;
    tell(context, call, &outcome).await;
    One { at, text: outcome.text, denial, stop }
}

async fn tell(context: &Context, call: &ToolCall, outcome: &Outcome) {
    let line = context.messages.tool_result(&call.id, &outcome.content, outcome.end);
    context.out.message_in_turn(line).await;
}

async fn allowed(context: &Context, mut prepared: Prepared) -> (Outcome, Option<Value>, Option<String>) {
    let denied = |prepared: &Prepared, why: &str, stop| {
        tell_denial(context, prepared, why);
        let denial = json!({
            "tool_name": prepared.call.name,
            "tool_use_id": prepared.call.id,
            "tool_input": prepared.input.decode::<Value>().unwrap_or_default(),
        });
        (Outcome::failed(format!("this call was not allowed: {why}")), Some(denial), stop)
    };
    match prepared.decision {
        Decision::Run => {}
        Decision::Refuse(why) => return denied(&prepared, why, None),
        Decision::Ask => match ask(context, &prepared).await {
            Permission::Given(input) => prepared.input = input,
            Permission::Denied(why) => return denied(&prepared, &why, None),
            Permission::Stop(why) => return denied(&prepared, &why, Some(why.clone())),
        },
    }
    (run(context, &prepared.target, &prepared.input).await, None, None)
}

/// Tells a person that a call was not made, once a tool, where no message does.
fn tell_denial(context: &Context, prepared: &Prepared, why: &str) {
    let name = &prepared.call.name;
    if !context.out.has_messages() && context.granted.deny(name) {
        let remedy = remedy(context.policy.mode, prepared.subject, name);
        (context.talk)(&format!("the tool {name} was not run: {why}; {remedy}"));
    }
}

async fn run(context: &Context, target: &Target, input: &Json) -> Outcome {
    match target {
        Target::Helper(helper) => helpers::run(context, *helper, input).await,
        Target::Tool(tool) => match context.fleet.call(&tool.id, input).send().await {
            Ok(result) => Outcome::of(&result, &context.secrets),
            // Servers like to quote what they do not accept.
            Err(error) => Outcome::failed(context.secrets.apply(&error.to_string()).into_owned()),
        },
    }
}
