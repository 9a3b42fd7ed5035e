//! A server in this process.

use codewhale_mcp_transport::{Connector, End, OpenError, Way, memory};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{Open, soon};

#[tokio::test]
async fn lines_go_both_ways() {
    let (connector, mut server) = memory::pair(8);
    let mut open = Open::from(&connector).await;
    open.say("to you\n").await;
    let mut heard = [0; 7];
    server.read_exact(&mut heard).await.unwrap();
    assert_eq!(&heard, b"to you\n");
    server.write_all(b"to me\n").await.unwrap();
    assert_eq!(open.line().await, "to me\n");
}

#[tokio::test]
async fn it_opens_once() {
    let (connector, _server) = memory::pair(8);
    let _open = Open::from(&connector).await;
    assert!(matches!(connector.open(Way::First).await, Err(OpenError::Exhausted)));
}

#[tokio::test]
async fn a_server_that_drops_its_end_is_gone() {
    let (connector, server) = memory::pair(8);
    let mut open = Open::from(&connector).await;
    drop(server);
    assert_eq!(open.line().await, "");
    assert_eq!(soon(open.peer.gone()).await, End::Closed);
    assert!(open.peer.last_words().is_empty());
}

#[tokio::test]
async fn a_server_sees_the_writing_half_close_and_may_still_answer() {
    let (connector, mut server) = memory::pair(64);
    let mut open = Open::from(&connector).await;
    open.say("last\n").await;
    drop(open.outlet.take());
    let mut heard = String::new();
    soon(server.read_to_string(&mut heard)).await.unwrap();
    assert_eq!(heard, "last\n");
    server.write_all(b"bye\n").await.unwrap();
    assert_eq!(open.line().await, "bye\n");
    assert_eq!(soon(open.peer.stop()).await, End::Closed);
    assert_eq!(soon(open.peer.gone()).await, End::Closed);
}
