//! One connection: requests one after the other, each answered by a thread of its own while this one sees the
//! client leave.

use super::exchange::Exchange;
use super::request::HttpRequest;
use super::server::Server;
use super::wire::Wire;
use std::io::{self, BufReader};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;

/// Accepts connections until the server is stopped.
pub(super) fn accept(listener: TcpListener, server: Arc<Server>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let port = listener.local_addr().map(|address| address.port()).unwrap_or_default();
        for stream in listener.incoming().flatten() {
            if server.stopped.load(Ordering::SeqCst) {
                break;
            }
            let server = server.clone();
            let number = server.log.opened();
            if let Ok(stream) = stream.try_clone() {
                server.connections().insert(number, stream);
            }
            if server.stopped.load(Ordering::SeqCst) {
                // It came too late to be cut off with the others.
                let _ = stream.shutdown(Shutdown::Both);
            }
            std::thread::spawn(move || {
                // What goes wrong on a connection ends that connection.
                let _ = serve(&stream, number, port, &server);
                let _ = stream.shutdown(Shutdown::Both);
                server.connections().remove(&number);
                server.log.closed();
            });
        }
    })
}

fn serve(stream: &TcpStream, number: u64, port: u16, server: &Arc<Server>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BufReader::new(stream.try_clone()?);
    while let Some(request) = HttpRequest::read(&mut input, number, port)? {
        if server.stopped.load(Ordering::SeqCst) {
            break;
        }
        let record = &server.record;
        record.note("head", format!("{} {}", request.method, request.path).as_bytes());
        for (name, value) in &request.headers {
            record.note("head", format!("{name}: {value}").as_bytes());
        }
        if !request.body.is_empty() {
            record.note("in", &request.body);
        }
        server.log.request(request.clone());
        let exchange = Arc::new(Exchange::default());
        let worker = {
            let (mut wire, exchange, server) =
                (Wire::new(stream.try_clone()?), exchange.clone(), server.clone());
            std::thread::spawn(move || {
                let mut answered = server.answer(&request, &mut wire, &exchange);
                exchange.done();
                if server.plan.drops_connections {
                    answered = Err(io::ErrorKind::ConnectionAborted.into());
                }
                if answered.is_err() {
                    // The other thread waits for the client, who has nothing more to say here.
                    let _ = wire.hang_up();
                }
                answered
            })
        };
        if input.buffer().is_empty() && !matches!(stream.peek(&mut [0]), Ok(1..)) {
            exchange.leave();
        }
        worker.join().map_err(|_| io::Error::other("the answer panicked"))??;
    }
    Ok(())
}
