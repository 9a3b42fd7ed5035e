//! What `cargo xtask bench` does, in order.

use std::fs;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::cases::{CASES, Case};
use super::clients::Client;
use super::options::Options;
use super::results::Results;
use super::sample::{Servers, sample};
use super::{machine, table, targets, written};
use crate::bench::callgrind::is_there;
use crate::bench::programs;
use crate::bench::server::{Server, Way};
use crate::run::target;

/// Measures every client in every row, each repetition in the other order, prints the table and writes the JSON.
pub(crate) fn compare(words: &[&str]) -> Result<(), String> {
    let options = Options::read(words)?;
    let targets = targets::read()?;
    let cases: Vec<&Case> = CASES.iter().filter(|case| options.only.is_match(case.name)).collect();
    if cases.is_empty() {
        return Err(format!("no row is called as {} says", options.only));
    }
    if !is_there("valgrind") {
        return Err("valgrind counts instructions and is not installed; install the package valgrind".into());
    }
    let ours = programs::ours()?;
    let made = options.clients.iter().map(|name| Client::made(name, &ours));
    let also = options.also.iter().map(|(name, program)| Ok(Client::also(name, program)));
    let clients: Vec<Client> = made.chain(also).collect::<Result<_, _>>()?;
    let names: Vec<String> = clients.iter().map(|client| client.name.clone()).collect();
    let servers = Servers {
        program: &ours.server,
        json: Server::start(&ours.server, Way::Json)?,
        sse: Server::start(&ours.server, Way::Sse)?,
    };
    let mut facts = machine::facts();
    let (mut results, mut failed) = (Results::default(), 0);
    for repetition in 1..=options.repetitions {
        let start = Instant::now();
        for case in &cases {
            let forward: Vec<&Client> = clients.iter().collect();
            let backward = forward.iter().rev().copied().collect();
            for client in if repetition % 2 == 1 { forward } else { backward } {
                let sample = sample(client, case, &servers, options.pace);
                if let Err(why) = &sample {
                    failed += 1;
                    eprintln!("{}, {}: {why}", case.name, client.name);
                }
                results.add(case, &client.name, sample.ok());
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("repetition {repetition} of {}: {seconds:.0} s", options.repetitions);
    }
    facts.push(("load after", machine::load()));

    for (name, fact) in &facts {
        println!("{name}: {fact}");
    }
    println!();
    for line in table::lines(&cases, &names, &results, &targets) {
        println!("{line}");
    }
    let facts: Map<String, Value> =
        facts.into_iter().map(|(name, fact)| (name.to_owned(), Value::String(fact))).collect();
    let rows = written::rows(&cases, &names, &results, &targets);
    let json = json!({ "machine": facts, "repetitions": options.repetitions, "rows": rows });
    let usual = || Ok::<_, String>(target()?.join("bench/results.json"));
    let file = options.out.map_or_else(usual, Ok)?;
    fs::create_dir_all(file.parent().expect("a file is in a folder")).map_err(|fault| fault.to_string())?;
    fs::write(&file, format!("{json:#}\n"))
        .map_err(|fault| format!("cannot write {}: {fault}", file.display()))?;
    println!("\nwritten as JSON: {}", file.display());
    if failed == 0 { Ok(()) } else { Err(format!("{failed} runs failed")) }
}
