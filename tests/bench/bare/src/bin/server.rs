//! `bench-server [--tools N] [--page P] [--discover err|ok] [--http PORT [--sse]]`: see `tests/bench/README.md`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words = std::env::args().skip(1);
    #[cfg(target_os = "linux")]
    return codewhale_bench_bare::server::run(words);
    #[cfg(not(target_os = "linux"))]
    return Err(format!("measuring needs Linux; {} words are not looked at", words.count()).into());
}
