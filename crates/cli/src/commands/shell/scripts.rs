//! Completion scripts. What they know of the command line is fixed; for names of servers and tools they ask us.

use clap_complete::Shell;

use super::names::NAMES_VERB;
use crate::args::command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;

pub(in crate::commands) fn completions(run: &Run, shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "codewhale", &mut script);
    let script = String::from_utf8(script).expect("a script is text");
    run.printer.script(with_names(shell, script).replace("NAMES_VERB", NAMES_VERB).as_bytes())?;
    Ok(Exit::Ok)
}

/// Lets a script ask for names first; where there are none it does as before.
fn with_names(shell: Shell, script: String) -> String {
    match shell {
        Shell::Bash => script + BASH,
        Shell::Zsh => {
            // Loaded by itself, the file is the body of `_codewhale`.
            let own = script.replace("\n_codewhale() {", "\n_codewhale_words() {");
            let end = own.find("\nif [ \"$funcstack[1]\"").unwrap_or(own.len());
            format!("{}{ZSH}", &own[..end])
        }
        Shell::Fish => script + FISH,
        _ => script,
    }
}

const BASH: &str = r#"
_codewhale_names() {
    local name
    COMPREPLY=()
    while IFS= read -r name; do
        [[ $name != *= ]] || compopt -o nospace 2>/dev/null
        COMPREPLY+=("$(printf '%q' "$name")")
    done < <("$1" NAMES_VERB "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -gt 0 ]] || _codewhale "$@"
}

complete -F _codewhale_names -o bashdefault -o default codewhale
"#;

const ZSH: &str = r#"
_codewhale() {
    local -a names
    names=("${(@f)$(${words[1]} NAMES_VERB "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ "${names[1]}" == *= ]]; then
        compadd -S '' -- "${names[@]}"
    elif [[ -n "$names" ]]; then
        compadd -- "${names[@]}"
    else
        _codewhale_words "$@"
    fi
}

if [ "$funcstack[1]" = "_codewhale" ]; then
    _codewhale "$@"
else
    compdef _codewhale codewhale
fi
"#;

const FISH: &str = r#"
complete -c codewhale -f -n '__fish_seen_subcommand_from mcp' -a '(codewhale NAMES_VERB (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_ask_for_names_and_keep_what_they_knew() {
        for (shell, marks) in [
            (Shell::Bash, &["_codewhale() {", "complete -F _codewhale_names"][..]),
            (Shell::Zsh, &["\n_codewhale_words() {", "\n_codewhale() {", "  compadd -- "]),
            (Shell::Fish, &["__fish_seen_subcommand_from mcp' -a '(codewhale"]),
        ] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(), "codewhale", &mut script);
            let script = with_names(shell, String::from_utf8(script).unwrap());
            for mark in marks {
                assert_eq!(script.matches(mark).count(), 1, "{shell}: {mark}");
            }
        }
    }
}
