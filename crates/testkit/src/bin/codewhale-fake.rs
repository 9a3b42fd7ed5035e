//! A fake MCP server: `codewhale-fake MODE[+MODE…] [flags]`, or `codewhale-fake --http [MODE] [flags]`; see
//! `--list` and `--http --list`.

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    codewhale_testkit::run(&arguments)
}
