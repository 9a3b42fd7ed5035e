//! Takes the questions of one server, one after the other.

use std::collections::HashSet;
use std::sync::{Arc, MutexGuard, PoisonError};

use async_trait::async_trait;
use codewhale_mcp_client::{Handler, Options, Refusal};
use codewhale_mcp_protocol::{
    ClientCapabilities, CreateMessageParams, CreateMessageResult, ElicitAction, ElicitMode, ElicitParams,
    ElicitResult, ElicitationCapability, Json, ListRootsResult, Property, Root, RootsCapability,
    SamplingCapability, TASKS_EXTENSION,
};
use serde_json::json;
use tokio::sync::Mutex;

use super::address::Address;
use super::declined::Declined;
use super::dialog::{Dialog, Stop, quote};
use super::file::{AnswersFile, Given, IsForm};
use super::filled::{Filled, filled};
use super::visit::Time;
use super::{form, roots, sampling, visit};
use crate::args::AskedArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::hint;
use crate::input::read_file;
use crate::print::{Line, Progress, Verbosity};
use crate::run::Run;
use crate::world::Asking;

/// The most bytes of a message that are shown.
const MESSAGE: usize = 4 * 1024;
/// The most fields that a person is asked to fill in.
const FIELDS: usize = 50;
/// The most questions that are answered in one run.
const QUESTIONS: usize = 100;

/// Whoever and whatever answers the questions of one server.
pub(crate) struct Answers {
    server: String,
    dialog: Dialog,
    roots: Vec<Root>,
    sampling: Sampling,
    turn: Mutex<Turn>,
    /// What the person is to do at addresses, by the server's ids.
    visits: std::sync::Mutex<HashSet<String>>,
    declined: std::sync::Mutex<Declined>,
}

/// Whether the server may ask a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sampling {
    Allowed,
    Undeclared,
}

/// What one question leaves for the next.
#[derive(Default)]
struct Turn {
    file: Option<AnswersFile>,
    asked: usize,
    /// Why the answer that the file has for this question cannot be given.
    misfit: Option<String>,
    /// Addresses that the person has agreed to.
    agreed: HashSet<String>,
}

impl Answers {
    /// What the command line allows; takes the person along.
    pub(crate) fn of(run: &mut Run, args: &AskedArgs, server: &str) -> Result<Arc<Self>, Failure> {
        let file = args.answers.as_ref().map(|path| {
            let path = run.world.cwd.join(path);
            AnswersFile::read(&read_file(&path)?, &format!("`{}`", path.display()))
        });
        Ok(Arc::new(Self {
            server: server.to_owned(),
            dialog: Dialog {
                printer: run.printer.clone(),
                progress: Arc::new(Progress::new(&run.printer)),
                person: run.world.person.take().map(Asking::new),
            },
            roots: roots::roots(&args.root, &run.world.cwd)?,
            sampling: if args.allow_sampling { Sampling::Allowed } else { Sampling::Undeclared },
            turn: Mutex::new(Turn { file: file.transpose()?, ..Turn::default() }),
            visits: std::sync::Mutex::default(),
            declined: std::sync::Mutex::default(),
        }))
    }

    /// Says to servers what they may ask, and answers it.
    pub(crate) fn declare(self: &Arc<Self>, options: &mut Options) {
        let empty = || Some(Json::from(json!({})));
        options.capabilities = ClientCapabilities {
            elicitation: Some(ElicitationCapability {
                form: empty(),
                url: empty(),
                ..ElicitationCapability::default()
            }),
            sampling: (self.sampling == Sampling::Allowed).then(SamplingCapability::default),
            roots: (!self.roots.is_empty()).then(RootsCapability::default),
            extensions: Some(Json::from(json!({ TASKS_EXTENSION: {} }))),
            ..ClientCapabilities::default()
        };
        let handler: Arc<dyn Handler> = self.clone();
        options.handler = Some(handler.into());
    }

    /// Where progress is told, which makes room for questions.
    pub(crate) fn progress(&self) -> &Arc<Progress> {
        &self.dialog.progress
    }

    /// The server says that a visit is over; false for one that is not known, or known to be over (MCP 2025-11-25,
    /// client/elicitation).
    pub(crate) fn is_over(&self, visit: &str) -> bool {
        self.visits().remove(visit)
    }

    fn visits(&self) -> MutexGuard<'_, HashSet<String>> {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A line for each question that was declined.
    pub(crate) fn declined(&self) -> Vec<String> {
        self.to_decline().lines()
    }

    /// How the run ends: an answers file that does not fit is a mistake, whatever became of the work.
    pub(crate) fn settle(&self, outcome: Result<Exit, Failure>) -> Result<Exit, Failure> {
        self.to_decline().settle(outcome)
    }

    fn to_decline(&self) -> MutexGuard<'_, Declined> {
        self.declined.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer of the file cannot be given; a person is asked in its place.
    fn misfit(&self, turn: &mut Turn, why: String) {
        self.dialog.printer.warn(format!("the answer in the file does not fit: {why}"));
        turn.misfit = self.dialog.person.is_none().then_some(why);
    }

    /// Whoever can be asked.
    pub(crate) fn person(&self) -> Option<&Asking> {
        self.dialog.person.as_ref()
    }

    /// Whether what is asked is shown: always to a person, else unless nobody wants to know.
    fn is_heard(&self) -> bool {
        self.dialog.person.is_some() || self.dialog.printer.verbosity() > Verbosity::Quiet
    }

    /// Says who asks, and in which words.
    fn introduce(&self, what: &str, message: &str) {
        if self.is_heard() {
            self.dialog.printer.talk(Line::new().bold(&self.server).plain(format!(" {what}")));
            quote(&self.dialog.printer, message, MESSAGE, "  ");
        }
    }

    async fn form(&self, turn: &mut Turn, params: &ElicitParams) -> ElicitResult {
        self.introduce("asks:", &params.message);
        let printer = &self.dialog.printer;
        let form = match fields(params) {
            Ok(form) => form,
            Err(why) => {
                printer.warn(format!("declined: {why}"));
                return ElicitResult::of(ElicitAction::Decline);
            }
        };
        if let Some(given) = turn.given(IsForm::Yes) {
            match filled(&form, given) {
                Ok(Filled::Accept(content)) => {
                    printer.note("answered from the answers file");
                    return ElicitResult::accept(content);
                }
                Ok(Filled::Decline) => return self.said_no("declined by the answers file"),
                Ok(Filled::Cancel) => return ElicitResult::of(ElicitAction::Cancel),
                Err(why) => self.misfit(turn, why),
            }
        }
        let Some(person) = self.dialog.person() else {
            if self.is_heard() {
                form::outline(printer, &form);
            }
            return self.unasked("declined", hint::form_answer(&form));
        };
        match form::fill(&person, &form).await {
            Ok(content) => ElicitResult::accept(content),
            Err(stop) => stopped(stop),
        }
    }

    /// An address; once the person has agreed, the server may say that they are done there.
    async fn visit(&self, turn: &mut Turn, params: &ElicitParams) -> ElicitResult {
        let result = self.address(turn, params).await;
        if result.action == ElicitAction::Accept {
            self.visits().extend(params.elicitation_id.clone());
        }
        result
    }

    async fn address(&self, turn: &mut Turn, params: &ElicitParams) -> ElicitResult {
        self.introduce("wants you to open an address:", &params.message);
        let printer = &self.dialog.printer;
        let address = match Address::read(params.url.as_deref().unwrap_or_default()) {
            Ok(address) => address,
            Err(why) => {
                printer.warn(format!("declined: the address is not one to go to: {why}"));
                return ElicitResult::of(ElicitAction::Decline);
            }
        };
        if self.is_heard() {
            visit::show(printer, &address);
        }
        match turn.given(IsForm::No) {
            Some(Given::Accept) => {
                printer.note("agreed by the answers file; open it yourself");
                return ElicitResult::of(ElicitAction::Accept);
            }
            Some(Given::Decline) => return self.said_no("declined by the answers file"),
            Some(Given::Cancel) => return ElicitResult::of(ElicitAction::Cancel),
            Some(_) => self.misfit(turn, "the question is an address".to_owned()),
            None => {}
        }
        let Some(person) = self.dialog.person() else {
            return self.unasked("declined", hint::address_answer());
        };
        let time = if turn.agreed.contains(address.as_str()) { Time::Again } else { Time::First };
        match visit::agree(&person, time).await {
            Ok(()) => {
                turn.agreed.insert(address.as_str().to_owned());
                ElicitResult::of(ElicitAction::Accept)
            }
            Err(stop) => stopped(stop),
        }
    }

    async fn sample(&self, turn: &mut Turn, params: &CreateMessageParams) -> Result<String, Refusal> {
        self.introduce("asks a model:", "");
        let printer = &self.dialog.printer;
        if self.is_heard() {
            sampling::show(printer, params);
        }
        match turn.given(IsForm::No) {
            Some(Given::Text(text)) => match sampling::fits(&text, params) {
                Ok(()) => {
                    printer.note("answered from the answers file");
                    return Ok(text);
                }
                Err(why) => self.misfit(turn, why),
            },
            Some(Given::Decline | Given::Cancel) => {
                return Err(Refusal::rejected("the user rejected the request"));
            }
            Some(_) => self.misfit(turn, "the question is for a model".to_owned()),
            None => {}
        }
        let Some(person) = self.dialog.person() else {
            self.unasked("refused", hint::model_answer());
            return Err(Refusal::rejected("nobody could be asked"));
        };
        sampling::typed(&person, params)
            .await
            .ok_or_else(|| Refusal::rejected("the user rejected the request"))
    }

    /// Nobody is there, so the answer is no; says how there could be another one.
    fn unasked(&self, how: &str, hint: String) -> ElicitResult {
        let no = self.said_no(&format!("{how}: nobody can be asked"));
        self.dialog.printer.hint(hint);
        no
    }

    fn said_no(&self, why: &str) -> ElicitResult {
        self.dialog.printer.warn(why);
        ElicitResult::of(ElicitAction::Decline)
    }
}

#[async_trait]
impl Handler for Answers {
    async fn elicit(&self, params: ElicitParams) -> Result<ElicitResult, Refusal> {
        let mut turn = self.turn.lock().await;
        turn.begin()?;
        let _quiet = self.dialog.quiet();
        let waiting = Waiting(&self.dialog);
        let result = match params.mode() {
            ElicitMode::Form => self.form(&mut turn, &params).await,
            ElicitMode::Url => self.visit(&mut turn, &params).await,
            _ => ElicitResult::of(ElicitAction::Decline),
        };
        waiting.ends();
        if result.action == ElicitAction::Decline {
            self.to_decline().add(&params.message, turn.misfit.take());
        }
        Ok(result)
    }

    async fn create_message(&self, params: CreateMessageParams) -> Result<CreateMessageResult, Refusal> {
        let mut turn = self.turn.lock().await;
        turn.begin()?;
        let _quiet = self.dialog.quiet();
        let waiting = Waiting(&self.dialog);
        let text = self.sample(&mut turn, &params).await;
        waiting.ends();
        if text.is_err() {
            self.to_decline().add("a question for a model", turn.misfit.take());
        }
        text.map(sampling::answer)
    }

    async fn list_roots(&self) -> Result<ListRootsResult, Refusal> {
        Ok(ListRootsResult { roots: self.roots.clone(), ..ListRootsResult::default() })
    }
}

impl Turn {
    fn begin(&mut self) -> Result<(), Refusal> {
        self.asked += 1;
        self.misfit = None;
        match self.asked > QUESTIONS {
            true => {
                Err(Refusal::rejected(format!("{QUESTIONS} questions were answered, and that is enough")))
            }
            false => Ok(()),
        }
    }

    fn given(&mut self, is_form: IsForm) -> Option<Given> {
        self.file.as_mut()?.next(is_form)
    }
}

/// A question that is being asked. Dropped before it is answered, the server has taken it back.
struct Waiting<'d>(&'d Dialog);

impl Waiting<'_> {
    fn ends(self) {
        std::mem::forget(self);
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.0.person.is_some() {
            self.0.printer.talk(Line::new());
            self.0.printer.note("the question is no longer open");
        }
    }
}

/// The form that is asked for.
fn fields(params: &ElicitParams) -> Result<Vec<Property>, String> {
    let schema = params.requested_schema.as_ref().ok_or("there is no form")?;
    let schema = schema.read().map_err(|error| format!("the form cannot be read: {error}"))?;
    let form = schema.form().map_err(|error| error.to_string())?;
    match form.len() > FIELDS {
        true => Err(format!("the form has {} fields, and {FIELDS} are shown", form.len())),
        false => Ok(form),
    }
}

fn stopped(stop: Stop) -> ElicitResult {
    ElicitResult::of(match stop {
        Stop::Decline => ElicitAction::Decline,
        Stop::Cancel => ElicitAction::Cancel,
    })
}
