//! Addresses of which some do not answer.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use codewhale_mcp_net::client::{Dialer, Engine, Parts, Stream};
use codewhale_mcp_net::{NetError, Purpose};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use crate::network::{Names, message};
use crate::world::guard;

/// Some addresses never answer, some refuse, the others lead to a server that answers once.
#[derive(Debug)]
pub(crate) struct Slow {
    silent: Vec<IpAddr>,
    dialled: Mutex<Vec<IpAddr>>,
}

impl Slow {
    pub(crate) fn new(silent: &[&str]) -> Arc<Self> {
        let silent = silent.iter().map(|address| address.parse().unwrap()).collect();
        Arc::new(Self { silent, dialled: Mutex::default() })
    }
}

#[async_trait]
impl Dialer for Slow {
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
        self.dialled.lock().unwrap().push(address.ip());
        if self.silent.contains(&address.ip()) {
            std::future::pending::<()>().await;
        }
        if address.ip().to_string().starts_with("8.") {
            return Err(io::Error::new(
                io::ErrorKind::ConnectionRefused,
                format!("{} refuses", address.ip()),
            ));
        }
        let (ours, mut theirs) = tokio::io::duplex(4096);
        tokio::spawn(async move {
            let mut bytes = Vec::new();
            while !bytes.ends_with(b"{\"m\":1}") {
                theirs.read_buf(&mut bytes).await.unwrap();
            }
            theirs.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
            while theirs.read_buf(&mut bytes).await.is_ok_and(|read| read > 0) {}
        });
        Ok(Box::new(ours))
    }
}

/// How long it takes, which addresses are tried, and the status or the error.
async fn tried(addresses: &[&str], silent: &[&str]) -> (u128, usize, Result<u16, NetError>) {
    let (resolver, dialer) = (Names::new(&[addresses]), Slow::new(silent));
    let engine = Engine::new(Parts { resolver, dialer: dialer.clone(), ..Parts::default() });
    let url = "http://mcp.example/";
    let start = Instant::now();
    let answer = engine.egress(guard(url), Purpose::Message).send(message(url), None).await;
    let tried = dialer.dialled.lock().unwrap().len();
    (start.elapsed().as_millis(), tried, answer.map(|response| response.status.as_u16()))
}

#[tokio::test(start_paused = true)]
async fn the_next_address_is_tried_when_one_is_silent_or_refuses() {
    assert_eq!(tried(&["9.9.9.9", "1.1.1.1"], &[]).await, (0, 1, Ok(204)));
    assert_eq!(tried(&["9.9.9.9", "1.1.1.1"], &["9.9.9.9"]).await, (250, 2, Ok(204)));
    assert_eq!(tried(&["8.8.8.8", "1.1.1.1"], &[]).await, (0, 2, Ok(204)));
    assert_eq!(tried(&["2620:fe::9", "8.8.4.4", "1.1.1.1"], &["2620:fe::9"]).await, (250, 3, Ok(204)));
    let (_, _, all) = tried(&["8.8.8.8", "8.8.4.4"], &[]).await;
    assert_eq!(all.unwrap_err().to_string(), "cannot connect to mcp.example:80: 8.8.8.8 refuses");
}

#[tokio::test(start_paused = true)]
async fn addresses_without_end_are_not_all_tried() {
    let many: Vec<String> = (0..100).map(|last| format!("8.8.8.{last}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(tried(&many, &[]).await.1, 32);
    assert_eq!(tried(&["8.8.8.8"; 5], &[]).await.1, 1, "the same one is tried once");
}

#[tokio::test(start_paused = true)]
async fn a_name_server_that_is_silent_costs_the_time_of_a_connection() {
    #[derive(Debug)]
    struct Never;
    #[async_trait]
    impl codewhale_mcp_net::client::Resolver for Never {
        async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
            std::future::pending().await
        }
    }
    let limit = Duration::from_secs(7);
    let parts = Parts {
        resolver: Arc::new(Never),
        dialer: Slow::new(&[]),
        connect_timeout: limit,
        authorities: None,
    };
    let url = "https://mcp.example/";
    let start = Instant::now();
    let late = Engine::new(parts).egress(guard(url), Purpose::Message).send(message(url), None).await;
    assert_eq!(late.unwrap_err(), NetError::ConnectTimeout { host: "mcp.example:443".to_owned(), limit });
    assert_eq!(start.elapsed(), limit);
}

/// Has one connection to give, and is silent then.
#[derive(Debug)]
struct Once(Mutex<Option<tokio::io::DuplexStream>>);

#[async_trait]
impl Dialer for Once {
    async fn dial(&self, _: SocketAddr) -> io::Result<Box<dyn Stream>> {
        let stream = self.0.lock().unwrap().take();
        match stream {
            Some(stream) => Ok(Box::new(stream)),
            None => std::future::pending().await,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_gets_free_is_as_good_as_one_that_is_long_in_making() {
    let (ours, mut theirs) = tokio::io::duplex(4096);
    let (url, dialer) = ("http://9.9.9.9/", Arc::new(Once(Mutex::new(Some(ours)))));
    let engine = Engine::new(Parts { dialer, ..Parts::default() });
    let egress = engine.egress(guard(url), Purpose::Message);
    let ask = || {
        let egress = egress.clone();
        tokio::spawn(
            async move { egress.send(message(url), None).await.map(|response| response.status.as_u16()) },
        )
    };
    let answering = async {
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"{\"m\":1}") {
            theirs.read_buf(&mut bytes).await.unwrap();
        }
        // Longer than a new connection is waited for, and not as long as it may take.
        tokio::time::sleep(Duration::from_secs(5)).await;
        theirs.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
    };
    let start = Instant::now();
    let (one, other) = (ask(), ask());
    answering.await;
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"{\"m\":1}") {
        theirs.read_buf(&mut bytes).await.unwrap();
    }
    theirs.write_all(b"HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n").await.unwrap();
    assert_eq!((one.await.unwrap(), other.await.unwrap()), (Ok(204), Ok(205)));
    assert_eq!(start.elapsed(), Duration::from_secs(5));
}
