//! Accepts connections, a thread each, and leads requests through the gates to the server.

use super::request::Request;
use super::response::{Response, head};
use super::sse::Events;
use super::wire::{Passage, Wire};
use crate::base::{Answer, Base, Handshake, Reply};
use crate::message::Message;
use crate::out::{Out, Record, Sink};
use std::io::{self, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Serves until stdin ends; returns the exit code.
pub(crate) fn listen(mut base: Base, wire: Wire, record: Record) -> i32 {
    base.handshake = Handshake::NotNeeded;
    let listener = match TcpListener::bind(("127.0.0.1", wire.port)) {
        Ok(listener) => listener,
        Err(fault) => {
            crate::complain(&format!("cannot listen: {fault}"));
            return 1;
        }
    };
    let port = listener.local_addr().map(|address| address.port()).unwrap_or_default();
    let mut stdout = io::stdout();
    if stdout.write_all(format!("PORT {port}\n").as_bytes()).and_then(|()| stdout.flush()).is_err() {
        return 1;
    }
    let state = Arc::new(Mutex::new(State { base, wire, sessions: 0 }));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (state, record) = (state.clone(), record.clone());
            std::thread::spawn(move || {
                // What goes wrong on a connection ends that connection.
                let _ = connection(&stream, &state, &record);
            });
        }
    });
    // The end of stdin is the order to end; what comes before it means nothing.
    let _ = io::stdin().read_to_end(&mut Vec::new());
    0
}

struct State {
    base: Base,
    wire: Wire,
    sessions: u32,
}

fn connection(stream: &TcpStream, state: &Mutex<State>, record: &Record) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BufReader::new(stream.try_clone()?);
    while let Some(request) = Request::read(&mut input)? {
        record.note("head", format!("{} {}", request.method, request.target).as_bytes());
        for (name, value) in &request.headers {
            record.note("head", format!("{name}: {value}").as_bytes());
        }
        let passage = {
            let mut state = state.lock().expect("no holder panics");
            let mut gates = state.wire.gates.iter_mut();
            gates.find_map(|gate| match gate(&request) {
                Passage::Open => None,
                other => Some(other),
            })
        };
        match passage {
            Some(Passage::Silence) => continue,
            Some(Passage::Answer(response)) => response.write(&mut &*stream)?,
            Some(Passage::Open) | None if request.method == "POST" => {
                post(stream, &request, state, record)?;
            }
            Some(Passage::Open) | None => {
                let status = state.lock().expect("no holder panics").wire.get;
                Response::empty(status).write(&mut &*stream)?;
            }
        }
    }
    Ok(())
}

fn post(mut stream: &TcpStream, request: &Request, state: &Mutex<State>, record: &Record) -> io::Result<()> {
    record.note("in", &request.body);
    let Some(message) = Message::parse(&request.body) else {
        let reply = Reply::error("null", -32700, "parse error", None);
        return Response::json(400, reply.render()).write(&mut stream);
    };
    let mut held = state.lock().expect("no holder panics");
    let known = held.sessions.to_string();
    let opens = message.is_method("initialize") && held.wire.session;
    if held.wire.session && !opens && request.header("mcp-session-id") != Some(known.as_str()) {
        drop(held);
        return Response::empty(400).write(&mut stream);
    }
    let mut headers = Vec::new();
    if opens {
        held.sessions += 1;
        headers.push(("MCP-Session-Id".to_owned(), held.sessions.to_string()));
    }
    let framing = held.wire.framing.clone().filter(|_| message.is_request());
    let default = if framing.is_some() { "text/event-stream" } else { "application/json" };
    let kind = held.wire.content_type.clone().unwrap_or_else(|| default.to_owned());
    let (modern, notify) = (held.base.is_modern(&message), held.wire.notify);
    let sink: Box<dyn Sink> = match framing {
        Some(framing) => {
            headers.push(("Content-Type".to_owned(), kind.clone()));
            stream.write_all(&head(200, &headers, "Transfer-Encoding: chunked"))?;
            Box::new(Events::open(stream.try_clone()?, framing))
        }
        None => Box::new(Nowhere),
    };
    let streamed = default == "text/event-stream";
    let out = Out::new(sink, record.clone());
    let answer = held.base.answer(&message, &out);
    let cancels = held.base.cancels();
    drop(held);
    let reply = match answer {
        Answer::None if !message.is_request() => return Response::empty(notify).write(&mut stream),
        // A subscription: its stream stays open until the client leaves.
        Answer::None => return Ok(()),
        Answer::Exit(code) => crate::leave(code),
        Answer::Now(reply) => Some(reply),
        Answer::Later(job) => {
            if modern {
                let (peer, id) = (stream.try_clone()?, message.id().unwrap_or("null").to_owned());
                std::thread::spawn(move || {
                    // In the modern era a client cancels by leaving.
                    if !matches!(peer.peek(&mut [0]), Ok(1..)) {
                        cancels.cancel(&id);
                    }
                });
            }
            job()
        }
    };
    let Some(reply) = reply else { return Ok(()) };
    if streamed {
        out.message(reply.render());
        out.raw(b"0\r\n\r\n");
        return Ok(());
    }
    record.note("out", reply.render().as_bytes());
    let mut response =
        Response { body: reply.render().into_bytes(), ..Response::empty(status(&reply, modern)) };
    response.headers = headers;
    response.with("Content-Type", &kind).write(&mut stream)
}

/// Legacy errors ride on 200; modern ones have a status of their own.
fn status(reply: &Reply, modern: bool) -> u16 {
    let code = |code: i32| reply.body.starts_with(&format!(r#""error":{{"code":{code},"#));
    match modern {
        true if code(-32601) => 404,
        true if [-32602, -32020, -32021, -32022].into_iter().any(code) => 400,
        _ => 200,
    }
}

/// Notifications have no place in a JSON answer.
struct Nowhere;

impl Sink for Nowhere {
    fn message(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn raw(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}
