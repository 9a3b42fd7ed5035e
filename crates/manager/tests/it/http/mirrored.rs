//! Headers that a tool asks for: when the server has changed its mind, the list is read again and the call made once
//! more.

use codewhale_mcp_client::CallError;
use codewhale_testkit::HttpFake;
use serde_json::json;

use crate::http::world::connected;
use crate::world::{World, run};

#[test]
fn a_header_mismatch_reads_the_list_once_and_calls_once_more() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("stale-headers"));
        let connection = connected(&world, &fake).await;
        let arguments = json!({"region": "eu"});
        let result = connection.client().call_tool("moved", &arguments).send().await.unwrap();
        assert_eq!(result.content[0].text.as_deref(), Some("moved"));
        let calls = fake.requests_of("tools/call");
        let sent = |name| calls.iter().map(|call| call.header(name)).collect::<Vec<_>>();
        assert_eq!(sent("mcp-param-region-1"), [Some("eu"), None]);
        assert_eq!(sent("mcp-param-region-2"), [None, Some("eu")]);
        assert_eq!(fake.count("tools/list"), 2);
        assert_ne!(calls[0].json()["id"], calls[1].json()["id"], "a new request has a new id");
        // Now it is known.
        connection.client().call_tool("moved", &arguments).send().await.unwrap();
        assert_eq!((fake.count("tools/call"), fake.count("tools/list")), (3, 2));
        connection.close().await;
        world.manager.shutdown().await;
    });
}

#[test]
fn a_header_mismatch_that_stays_is_told_after_one_more_call() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("stale-headers --always"));
        let connection = connected(&world, &fake).await;
        let arguments = json!({"region": "x"});
        for round in 1..=3 {
            let told = connection.client().call_tool("moved", &arguments).send().await;
            let Err(CallError::ServerError { error, .. }) = told else { panic!("{told:?}") };
            assert_eq!(error.code, -32020);
            assert!(
                fake.count("tools/call") <= 2 * round && fake.count("tools/list") <= 1 + round,
                "no storm"
            );
        }
        connection.close().await;
        world.manager.shutdown().await;
    });
}
