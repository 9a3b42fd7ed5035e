//! A turn, from its prompt to its end.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_protocol::Json;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;

use super::calls::{Made, make};
use super::context::Context;
use super::offered::Offered;
use super::partial::Partial;
use crate::model::{Chat, Conversing, Insist, ModelAnswer, ModelError, Piece, Usage};
use crate::wire::{Ending, Said, uuid};

/// What a turn has come to so far.
#[derive(Debug, Default)]
struct Tally {
    turns: u32,
    api: Duration,
    usage: Usage,
    denials: Vec<Value>,
}

/// Why a turn stops before the model has answered.
enum Stop {
    Model(ModelError),
    MaxTurns(u32),
    /// The caller denied a call and wants no more.
    Denied(String),
}

/// Takes a turn. An interrupt ends it at once: what is asked and called is given up.
pub(crate) async fn take(
    context: Arc<Context>,
    conversation: Conversing,
    mut interrupt: watch::Receiver<bool>,
) -> Ending {
    let mut tally = Tally::default();
    let done = tokio::select! {
        biased;
        // The sender lives as long as the session.
        _ = interrupt.wait_for(|interrupt| *interrupt) => None,
        done = answer(&context, &conversation, &mut tally) => Some(done),
    };
    conversation.lock().close("the user interrupted this call");
    let ending = |subtype, errors: Vec<String>, result: String, terminal_reason| Ending {
        subtype,
        errors,
        result,
        stop_reason: None,
        terminal_reason,
        turns: tally.turns,
        api: tally.api,
        usage: tally.usage,
        denials: tally.denials.clone(),
    };
    let failed = |subtype, error: String, reason| ending(subtype, vec![error.clone()], error, reason);
    match done {
        Some(Ok(answer)) => Ending {
            stop_reason: Some(answer.stop_reason().to_owned()),
            ..ending("success", Vec::new(), answer.text, "completed")
        },
        Some(Err(Stop::Model(error))) => failed("error_during_execution", error.to_string(), "error"),
        Some(Err(Stop::MaxTurns(most))) => {
            let times = if most == 1 { "once".to_owned() } else { format!("{most} times") };
            let error = format!("the model was asked {times} and has not come to an end");
            failed("error_max_turns", error, "max_turns")
        }
        Some(Err(Stop::Denied(why))) => ending("error_during_execution", Vec::new(), why, "interrupted"),
        None => ending("error_during_execution", Vec::new(), "interrupted".to_owned(), "interrupted"),
    }
}

async fn answer(
    context: &Arc<Context>,
    conversation: &Conversing,
    tally: &mut Tally,
) -> Result<ModelAnswer, Stop> {
    let chat = context.chat.as_ref().map_err(|error| Stop::Model(error.clone().into()))?;
    let offered = Offered::now(context);
    loop {
        if let Some(most) = context.max_turns.filter(|most| tally.turns >= *most) {
            return Err(Stop::MaxTurns(most));
        }
        context.out.room().await;
        tally.turns += 1;
        let begun = Instant::now();
        let asked = ask(context, chat, conversation, &offered).await;
        tally.api += begun.elapsed();
        let answer = asked.map_err(Stop::Model)?;
        tally.usage = tally.usage.plus(answer.usage);
        conversation.lock().answer(&answer);
        if answer.calls.is_empty() {
            return Ok(answer);
        }
        let Made { results, denials, stop } = make(context, &answer.calls).await;
        tally.denials.extend(denials);
        for (call, text) in results {
            conversation.lock().result(&call, &text);
        }
        if let Some(why) = stop {
            return Err(Stop::Denied(why));
        }
    }
}

/// Asks the model once and tells what it answered.
async fn ask(
    context: &Context,
    chat: &Chat,
    conversation: &Conversing,
    offered: &Offered,
) -> Result<ModelAnswer, ModelError> {
    let id = format!("msg_{}", uuid());
    let mut partial = context.partial.then(|| Partial::new(id.clone(), chat.model().to_owned()));
    let tell = |piece: &Piece| {
        for event in partial.iter_mut().flat_map(|partial| partial.piece(piece)) {
            context.out.message(context.messages.stream_event(event));
        }
    };
    let question = chat.question(&context.system, &conversation.lock(), &offered.offers(context));
    let insist = Insist { chat, backoff: context.backoff, talk: &*context.talk };
    let answer = insist.ask(&question, tell).await?;
    if let Some(partial) = partial {
        for event in partial.finish(&answer) {
            context.out.message(context.messages.stream_event(event));
        }
    }
    let said = Said {
        id: &id,
        model: answer.model.as_deref().unwrap_or(chat.model()),
        content: &blocks(&answer),
        stop_reason: Some(answer.stop_reason()),
        usage: answer.usage,
    };
    context.out.message(context.messages.assistant(&said));
    Ok(answer)
}

/// An answer as blocks of content.
fn blocks(answer: &ModelAnswer) -> Vec<Json> {
    #[derive(Serialize)]
    struct ToolUse<'a> {
        r#type: &'static str,
        id: &'a str,
        name: &'a str,
        input: Json,
    }
    let mut blocks = Vec::new();
    if !answer.thoughts.is_empty() {
        blocks.push(json!({"type": "thinking", "thinking": answer.thoughts, "signature": ""}).into());
    }
    if !answer.text.is_empty() || answer.calls.is_empty() {
        blocks.push(json!({"type": "text", "text": answer.text}).into());
    }
    for call in &answer.calls {
        // What is no JSON is told as the text that it is.
        let input = call.input().unwrap_or_else(|_| json!({"arguments": call.arguments}).into());
        let block = ToolUse { r#type: "tool_use", id: &call.id, name: &call.name, input };
        blocks.push(Json::encode(&block).expect("it has string keys"));
    }
    blocks
}
