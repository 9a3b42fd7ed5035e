//! Bodies that were compressed.

use std::future::poll_fn;
use std::io::Write;

use codewhale_mcp_net::client::Egress;
use codewhale_mcp_net::{Call, Fetch, NetError};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::network::{egress, whole};
use crate::server::{Server, reply, soon};

fn text() -> Vec<u8> {
    (0..20_000_u32).flat_map(|number| number.to_string().into_bytes()).collect()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let header = flate2::GzBuilder::new().filename("a name").comment("a comment").extra(b"extra".to_vec());
    let mut encoder = header.write(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zlib(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn raw(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn get(url: &str) -> Call {
    Call::get(url.parse().unwrap())
}

async fn answers(encoding: &str, body: Vec<u8>) -> (Server, Egress) {
    let encoding = format!("Content-Encoding: {encoding}");
    let server = Server::start(move |_| reply("200 OK", &[&encoding], &body)).await;
    let egress = egress(&server.url("/"));
    (server, egress)
}

#[tokio::test]
async fn what_was_compressed_comes_as_it_was() {
    let two = [gzip(&text()[..10]), gzip(&text()[10..])].concat();
    let cases = [
        ("gzip", gzip(&text())),
        ("x-gzip", gzip(&text())),
        ("GZip", two),
        ("deflate", zlib(&text())),
        ("deflate", raw(&text())),
        ("identity", text()),
    ];
    for (encoding, body) in cases {
        let (server, egress) = answers(encoding, body).await;
        let answer = whole(&egress, get(&server.url("/"))).await.unwrap();
        assert!(answer.body == text(), "{encoding}");
        assert_eq!(answer.headers.contains_key("content-encoding"), encoding == "identity");
    }
    let (server, egress) = answers("gzip", Vec::new()).await;
    assert_eq!(whole(&egress, get(&server.url("/"))).await.unwrap().body, "");
}

#[tokio::test]
async fn damage_is_no_end() {
    let mut wrong = gzip(&text());
    let last = wrong.len() - 8;
    wrong[last] ^= 1;
    let whole_one = gzip(&text());
    let cases = [
        ("gzip", wrong, "checksum"),
        ("gzip", whole_one[..whole_one.len() - 1].to_vec(), "no end"),
        ("gzip", whole_one[..100].to_vec(), "no end"),
        ("gzip", whole_one[..5].to_vec(), "no end"),
        ("gzip", b"{\"plain\":1}".to_vec(), "not compressed"),
        ("deflate", zlib(&text())[..50].to_vec(), "no end"),
        ("deflate", vec![0xff; 50], "damaged"),
        ("br", b"x".to_vec(), "encoded as br"),
        ("gzip, gzip", gzip(&gzip(b"x")), "encoded as gzip, gzip"),
    ];
    for (encoding, body, word) in cases {
        let (server, egress) = answers(encoding, body).await;
        let error = whole(&egress, get(&server.url("/"))).await.unwrap_err();
        assert!(matches!(&error, NetError::Broken { reason } if reason.contains(word)), "{word}: {error}");
    }
}

#[tokio::test]
async fn the_readers_limit_counts_what_comes_out() {
    let bomb = gzip(&vec![0; 8 << 20]);
    assert!(bomb.len() < 10_000);
    let (server, egress) = answers("gzip", bomb).await;
    let error = soon(egress.fetch(get(&server.url("/")), 100_000)).await.unwrap_err();
    assert_eq!(error, NetError::TooLong { what: "body", limit: 100_000 });
    let mut response = soon(egress.send(get(&server.url("/")), None)).await.unwrap();
    while let Some(chunk) = soon(poll_fn(|context| response.body.poll_chunk(context))).await {
        assert!(chunk.unwrap().len() <= 32 * 1024, "no chunk is larger than a step");
    }
}

#[tokio::test]
async fn each_event_comes_out_when_it_was_flushed_whatever_the_chunks_are() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (more, mut wanted) = tokio::sync::mpsc::channel::<()>(1);
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n").await.unwrap();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        for number in 0.. {
            if wanted.recv().await.is_none() {
                break;
            }
            write!(encoder, "data: {number}\n\n").unwrap();
            encoder.flush().unwrap();
            for byte in encoder.get_mut().split_off(0) {
                stream.write_all(&[byte]).await.unwrap();
                stream.flush().await.unwrap();
                tokio::task::yield_now().await;
            }
        }
        encoder.try_finish().unwrap();
        let end = encoder.get_mut().split_off(0);
        stream.write_all(&end).await.unwrap();
    });
    let egress = egress(&url);
    let mut response = soon(egress.send(get(&url), None)).await.unwrap();
    for number in 0..5 {
        more.send(()).await.unwrap();
        let (mut text, event) = (Vec::new(), format!("data: {number}\n\n"));
        while text.len() < event.len() {
            let chunk = soon(poll_fn(|context| response.body.poll_chunk(context))).await;
            text.extend_from_slice(&chunk.unwrap().unwrap());
        }
        assert_eq!(String::from_utf8(text).unwrap(), event);
    }
    drop(more);
    assert!(soon(poll_fn(|context| response.body.poll_chunk(context))).await.is_none());
}
