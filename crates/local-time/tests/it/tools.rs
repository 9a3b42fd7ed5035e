//! What the tools answer, at a time that stands still.

use codewhale_local_time::{World, server};
use codewhale_mcp_server::{Facts, Incoming, Server};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

fn fixed() -> Server {
    let now = || "2026-07-28T12:00:00.5Z".parse().expect("a time");
    server(World { now, zone: TimeZone::UTC }).expect("names of their own")
}

async fn ask(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let text = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let incoming = Incoming::parse(text.as_bytes()).expect("a request");
    let answer = fixed().exchange(&incoming, Facts::new()).next().await.expect("an answer");
    serde_json::from_slice(&answer.text).expect("JSON")
}

async fn call(name: &str, arguments: Value) -> Value {
    ask("tools/call", json!({"name": name, "arguments": arguments})).await["result"].take()
}

#[tokio::test]
async fn the_current_time_is_told_here_and_elsewhere() {
    let here = call("get_current_time", json!({})).await;
    let expected = json!({"datetime": "2026-07-28T12:00:00+00:00[UTC]", "timezone": "UTC", "utc_offset": "+00",
        "weekday": "Tuesday", "unix": 1_785_240_000});
    assert_eq!(here["structuredContent"], expected);
    let there = call("get_current_time", json!({"tz": "Asia/Kathmandu"})).await;
    let there = &there["structuredContent"];
    assert_eq!(there["datetime"], "2026-07-28T17:45:00+05:45[Asia/Kathmandu]");
    assert_eq!(there["utc_offset"], "+05:45");
    let nowhere = call("get_current_time", json!({"tz": "Moon/Base"})).await;
    assert_eq!(nowhere["isError"], true);
    let text = nowhere["content"][0]["text"].as_str().expect("words");
    assert!(text.contains("Moon/Base") && text.contains("list_timezones"), "{text}");
}

#[tokio::test]
async fn a_time_is_written_in_another_form() {
    for (arguments, expected) in [
        (json!({"format": "%Y-%m-%d %H:%M"}), "2026-07-28 12:00"),
        (json!({"format": "%H:%M %Z", "tz": "America/New_York"}), "08:00 EDT"),
        (
            json!({"format": "%a %H:%M", "time": "2026-01-01T00:00:00Z", "tz": "America/New_York"}),
            "Wed 19:00",
        ),
        (json!({"format": "%H:%M%:z", "time": "2026-01-01T09:30:00", "tz": "Asia/Tokyo"}), "09:30+09:00"),
        (json!({"format": "%H:%M", "time": "2026-01-01T09:30:00+02:00[Europe/Helsinki]"}), "07:30"),
    ] {
        let answer = call("format_time", arguments.clone()).await;
        assert_eq!(answer["structuredContent"]["text"], expected, "{arguments}: {answer}");
    }
    for arguments in [
        json!({"format": "%!"}),
        json!({"format": ""}),
        json!({"format": "%H", "time": "yesterday"}),
        json!({"format": "%H", "tz": "X"}),
        json!({}),
    ] {
        let answer = call("format_time", arguments.clone()).await;
        assert_eq!(answer["isError"], true, "{arguments}: {answer}");
    }
}

#[tokio::test]
async fn an_argument_that_no_tool_has_is_refused_by_name() {
    for (tool, arguments, name) in [
        ("get_current_time", json!({"timezone": "Asia/Tokyo"}), "timezone"),
        ("format_time", json!({"format": "%H", "zone": "UTC"}), "zone"),
        ("time_diff", json!({"from": "2026-07-28T11:00:00Z", "until": "2026-07-28T12:00:00Z"}), "until"),
        ("list_timezones", json!({"containing": "Asia"}), "containing"),
    ] {
        let answer = call(tool, arguments).await;
        let text = answer["content"][0]["text"].as_str().unwrap_or_default();
        assert!(answer["isError"] == true && text.contains(name), "{tool}: {answer}");
    }
    let listed = ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().expect("the tools");
    assert!(tools.iter().all(|tool| tool["inputSchema"]["additionalProperties"] == false), "{listed}");
}

#[tokio::test]
async fn a_difference_is_told_in_seconds_and_in_words() {
    for (arguments, seconds, iso8601) in [
        (json!({"from": "2026-07-28T11:00:00Z", "to": "2026-07-28T12:00:00Z"}), 3600, "PT1H"),
        (json!({"from": "2026-07-29T12:00:00.5Z"}), -86_400, "-P1D"),
        (json!({"from": "2026-01-31T00:00:00Z", "to": "2027-03-01T00:00:00Z"}), 34_041_600, "P1Y1M1D"),
        // A day that has an hour less.
        (
            json!({"from": "2026-03-28T12:00:00", "to": "2026-03-29T12:00:00", "tz": "Europe/Berlin"}),
            82_800,
            "P1D",
        ),
    ] {
        let answer = call("time_diff", arguments.clone()).await;
        let told = &answer["structuredContent"];
        assert_eq!(
            (&told["seconds"], &told["iso8601"]),
            (&json!(seconds), &json!(iso8601)),
            "{arguments}: {answer}"
        );
    }
    assert_eq!(call("time_diff", json!({"from": "x"})).await["isError"], true);
}

#[tokio::test]
async fn time_zones_are_found_by_a_part_of_their_names() {
    let all = call("list_timezones", json!({})).await;
    assert!(all["structuredContent"]["timezones"].as_array().expect("names").len() > 400);
    let some = call("list_timezones", json!({"contains": "shang"})).await;
    assert_eq!(some["structuredContent"], json!({"timezones": ["Asia/Shanghai"]}));
}

#[tokio::test]
async fn the_rest_is_there_too() {
    let tools = ask("tools/list", json!({})).await;
    let tools = tools["result"]["tools"].as_array().expect("tools");
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["get_current_time", "format_time", "time_diff", "list_timezones"]);
    for tool in tools {
        let types = (&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]);
        assert_eq!(types, (&json!("object"), &json!("object")));
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
    }
    let now = ask("resources/read", json!({"uri": "time://now"})).await;
    let expected =
        json!([{"uri": "time://now", "mimeType": "text/plain", "text": "2026-07-28T12:00:00+00:00[UTC]"}]);
    assert_eq!(now["result"]["contents"], expected);
    let arguments = json!({"time": "09:30", "from": "Berlin", "to": "Tokyo"});
    let prompt = ask("prompts/get", json!({"name": "convert_time", "arguments": arguments})).await;
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().expect("words");
    assert!(text.starts_with("What is 09:30 in Berlin as the time in Tokyo?"), "{text}");
}
