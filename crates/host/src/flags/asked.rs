//! What the command line of a session asks for.

use std::path::PathBuf;

use super::{Means, Word, split};
use crate::approval::Mode;

/// What a command line asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asked {
    /// How prompts come in.
    pub input: Input,
    /// How answers go out.
    pub output: Output,
    /// Answer one prompt and end.
    pub print: bool,
    /// The prompt that stands on the command line.
    pub prompt: Option<String>,
    /// Who is asked before a tool runs.
    pub mode: Mode,
    /// Whether the caller said that it answers questions.
    pub asks_caller: bool,
    /// Tools that run without a question, by name.
    pub allowed: Vec<String>,
    /// Tools that are not offered and do not run, by name.
    pub disallowed: Vec<String>,
    /// The model.
    pub model: Option<String>,
    /// How often the model may be asked for one prompt.
    pub max_turns: Option<u32>,
    /// The system prompt.
    pub system_prompt: Option<String>,
    /// The file of the system prompt.
    pub system_prompt_file: Option<PathBuf>,
    /// What is put behind the system prompt.
    pub append_system_prompt: Option<String>,
    /// The id of the session.
    pub session_id: Option<String>,
    /// Whether pieces of a message are told of.
    pub partial: bool,
    /// The values of `--mcp-config`, in their order.
    pub mcp_config: Vec<String>,
    /// Only those servers.
    pub strict: bool,
    /// Whose `mcp.json` counts.
    pub sources: Sources,
    /// The `mcp.json` to use instead of the user's.
    pub config: Option<PathBuf>,
    /// The workspace.
    pub workspace: Option<PathBuf>,
    /// Whether failures are told as JSON, too.
    pub json: bool,
    /// Colour on standard error.
    pub colour: Colour,
    /// Say more on standard error.
    pub verbose: bool,
    /// Say errors only on standard error.
    pub quiet: bool,
    /// Only the help is wanted.
    pub help: bool,
    /// Flags that were given and mean nothing here, as they were written.
    pub idle: Vec<String>,
    /// Whether everything is let through, and the mode that was named.
    yes: bool,
    named: Option<Mode>,
    /// The output's format that was named.
    format: Option<Output>,
}

/// How prompts come in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Input {
    /// As text; one prompt.
    #[default]
    Text,
    /// As messages, a JSON object a line.
    StreamJson,
}

/// How answers go out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Output {
    /// The words of the answer.
    #[default]
    Text,
    /// The `result` message alone.
    Json,
    /// Every message, a JSON object a line.
    StreamJson,
}

/// When there is colour on standard error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal, unless the environment wants none.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Whose `mcp.json` counts beside `--mcp-config`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sources {
    /// The user's.
    pub user: bool,
    /// The trusted workspace's.
    pub project: bool,
}

impl Default for Sources {
    fn default() -> Self {
        Self { user: true, project: true }
    }
}

/// A command line that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// There is no such flag.
    #[error("unknown option {flag}")]
    UnknownFlag {
        /// As it was written.
        flag: String,
    },
    /// Nothing stands behind a flag that takes a value.
    #[error("{flag} needs a value")]
    LacksValue {
        /// As it was written.
        flag: String,
    },
    /// Something is glued to a flag that takes nothing.
    #[error("{flag} takes no value")]
    TakesNothing {
        /// As it was written.
        flag: String,
    },
    /// A value is none of those that there are.
    #[error("{flag} is one of {expected}, not `{value}`")]
    BadValue {
        /// As it was written.
        flag: String,
        /// What stood behind it.
        value: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// A word that nothing asked for.
    #[error("unexpected word `{word}`; a prompt stands behind -p")]
    Unexpected {
        /// The word.
        word: String,
    },
    /// Formats that do not fit together.
    #[error("{reason}")]
    Formats {
        /// What does not fit.
        reason: &'static str,
    },
    /// One flag lets everything through and another one does not.
    #[error("-y is --permission-mode bypassPermissions, and another mode is named, too")]
    Modes,
    /// The prompt says nothing.
    #[error("the prompt is empty")]
    EmptyPrompt,
}

impl Asked {
    /// Reads a command line, the program's name apart.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn read(words: &[String]) -> Result<Self, Refused> {
        let mut asked = Self::default();
        for word in split(words)? {
            match word {
                Word::Plain(word) => asked.plain(word)?,
                Word::Flag { flag, written, mut values } => match flag.means {
                    Means::AllowedTools => asked.allowed.extend(names(&values)),
                    Means::DisallowedTools => asked.disallowed.extend(names(&values)),
                    means => asked.set(means, written, values.pop().unwrap_or_default())?,
                },
            }
        }
        asked.fitting()
    }

    fn set(&mut self, means: Means, flag: String, value: String) -> Result<(), Refused> {
        let bad = |value: String, expected| Err(Refused::BadValue { flag: flag.clone(), value, expected });
        match means {
            Means::InputFormat => match value.as_str() {
                "stream-json" => self.input = Input::StreamJson,
                "text" => self.input = Input::Text,
                _ => return bad(value, "stream-json, text"),
            },
            Means::OutputFormat => match value.as_str() {
                "stream-json" => self.format = Some(Output::StreamJson),
                "json" => self.format = Some(Output::Json),
                "text" => self.format = Some(Output::Text),
                _ => return bad(value, "stream-json, json, text"),
            },
            Means::PermissionMode => match Mode::named(&value) {
                Some(mode) => (self.mode, self.named) = (mode, Some(mode)),
                None => return bad(value, Mode::NAMES),
            },
            Means::MaxTurns => match value.parse() {
                Ok(turns) if turns > 0 => self.max_turns = Some(turns),
                _ => return bad(value, "the whole numbers from 1 on"),
            },
            Means::PermissionPrompt if value == "stdio" => self.asks_caller = true,
            Means::PermissionPrompt => return bad(value, "stdio"),
            Means::SettingSources => match sources(&value) {
                Some(sources) => self.sources = sources,
                None => return bad(value, "user, project, local, none"),
            },
            Means::Yes => self.yes = true,
            Means::Print => self.print = true,
            Means::Model => self.model = Some(value),
            Means::SystemPrompt => self.system_prompt = Some(value),
            Means::SystemPromptFile => self.system_prompt_file = Some(value.into()),
            Means::AppendSystemPrompt => self.append_system_prompt = Some(value),
            Means::SessionId => self.session_id = Some(value),
            Means::Partial => self.partial = true,
            Means::McpConfig => self.mcp_config.push(value),
            Means::Strict => self.strict = true,
            Means::Config => self.config = Some(value.into()),
            Means::Workspace => self.workspace = Some(value.into()),
            Means::Json => self.json = true,
            Means::Colour => match value.as_str() {
                "auto" => self.colour = Colour::Auto,
                "always" => self.colour = Colour::Always,
                "never" => self.colour = Colour::Never,
                _ => return bad(value, "auto, always, never"),
            },
            Means::Verbose => self.verbose = true,
            Means::Quiet => self.quiet = true,
            Means::Help => self.help = true,
            Means::Nothing => self.idle.push(flag),
            Means::AllowedTools | Means::DisallowedTools => {}
        }
        Ok(())
    }

    /// The prompt, the only word that belongs to no flag.
    fn plain(&mut self, word: String) -> Result<(), Refused> {
        match self.print && self.prompt.is_none() {
            true => self.prompt = Some(word),
            false => return Err(Refused::Unexpected { word }),
        }
        Ok(())
    }

    /// The same, if everything fits together. Without `-p` there are only messages.
    fn fitting(mut self) -> Result<Self, Refused> {
        if self.yes {
            self.mode = Mode::BypassPermissions;
        }
        self.output =
            self.format.unwrap_or(if self.json && self.print { Output::Json } else { Output::Text });
        let Self { input, output, print, ref prompt, .. } = self;
        let reason = match (print, input, output) {
            _ if self.help => return Ok(self),
            _ if self.named.is_some_and(|named| named != self.mode) => return Err(Refused::Modes),
            _ if prompt.as_ref().is_some_and(|prompt| prompt.trim().is_empty()) => {
                return Err(Refused::EmptyPrompt);
            }
            _ if self.json && self.format == Some(Output::Text) => {
                "--json is --output-format json, and another format is named, too"
            }
            _ if self.quiet && self.verbose => "-q says less and -v says more",
            (false, _, Output::Text | Output::Json) => "without -p, --output-format is stream-json",
            (false, Input::Text, _) => "without -p, --input-format is stream-json",
            (true, Input::StreamJson, Output::Text | Output::Json) => {
                "with --input-format stream-json, --output-format is stream-json"
            }
            (true, Input::StreamJson, _) if prompt.is_some() => {
                "with --input-format stream-json, the prompt comes on standard input"
            }
            _ => return Ok(self),
        };
        Err(Refused::Formats { reason })
    }
}

/// Names between commas and blanks, except within parentheses.
fn names(values: &[String]) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut depth = 0_usize;
    for c in values.join(" ").chars() {
        match c {
            ',' | ' ' if depth == 0 => names.push(String::new()),
            c => {
                depth = match c {
                    '(' => depth + 1,
                    ')' => depth.saturating_sub(1),
                    _ => depth,
                };
                names.last_mut().expect("there is one").push(c);
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn sources(text: &str) -> Option<Sources> {
    let mut sources = Sources { user: false, project: false };
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match name {
            "user" => sources.user = true,
            "project" => sources.project = true,
            "local" | "none" => {}
            _ => return None,
        }
    }
    Some(sources)
}
