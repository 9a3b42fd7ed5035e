//! A fake MCP server: `codewhale-fake MODE[+MODE…] [flags]`, or `codewhale-fake --http [MODE] [flags]`; see
//! `--list` and `--http --list`. Or a scripted model: `codewhale-fake --model SCRIPT`.

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    codewhale_testkit::run(&arguments)
}
