"""Scenarios for claude-agent-sdk: `claude.py SCENARIO CLI FAKE`."""

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
    create_sdk_mcp_server,
    query,
    tool,
)
from trial import Scenarios, Trial, expect, offered, texts

scenario = Scenarios()


def options(trial: Trial, **more) -> ClaudeAgentOptions:
    return ClaudeAgentOptions(cli_path=trial.cli, cwd=str(trial.workspace), env=trial.env, **more)


def said(messages: list) -> str:
    blocks = [block for message in messages if isinstance(message, AssistantMessage) for block in message.content]
    return "".join(block.text for block in blocks if isinstance(block, TextBlock))


def results(messages: list) -> list:
    blocks = [block for message in messages if isinstance(message, UserMessage) for block in message.content]
    return [block for block in blocks if isinstance(block, ToolResultBlock)]


@tool("add", "Adds two numbers", {"a": int, "b": int})
async def add(arguments: dict) -> dict:
    return {"content": [{"type": "text", "text": str(arguments["a"] + arguments["b"])}]}


def calculator():
    return create_sdk_mcp_server("calc", "1.0.0", [add])


ADD = {"calls": [{"name": "mcp_calc_add", "arguments": {"a": 2, "b": 3}}]}


@scenario([{"text": "hello there", "usage": {"prompt_tokens": 12, "completion_tokens": 4}}])
async def one_shot_query(trial: Trial) -> None:
    messages = [message async for message in query(prompt="hi", options=options(trial))]
    expect(isinstance(messages[0], SystemMessage) and messages[0].subtype == "init", messages[0])
    expect(said(messages) == "hello there", messages)
    result = messages[-1]
    expect(isinstance(result, ResultMessage) and result.subtype == "success", result)
    expect(result.result == "hello there" and not result.is_error, result)
    expect(result.usage["input_tokens"] == 12 and result.usage["output_tokens"] == 4, result.usage)
    expect(result.num_turns == 1 and result.session_id, result)


@scenario([{"text": "I am fine"}, {"text": "you asked how I am"}])
async def multi_turn_client(trial: Trial) -> None:
    async with ClaudeSDKClient(options(trial)) as client:
        for prompt, answer in [("how are you", "I am fine"), ("what did I ask", "you asked how I am")]:
            await client.query(prompt)
            messages = [message async for message in client.receive_response()]
            expect(said(messages) == answer, messages)
    second = trial.asked()[1]
    expect(texts(second, "user") == ["how are you", "what did I ask"], second)
    expect(texts(second, "assistant") == ["I am fine"], second)


@scenario([{"text": "a text in pieces", "split": 3}])
async def streaming_partial_messages(trial: Trial) -> None:
    messages = [m async for m in query(prompt="hi", options=options(trial, include_partial_messages=True))]
    events = [message.event for message in messages if isinstance(message, StreamEvent)]
    expect(events[0]["type"] == "message_start" and events[-1]["type"] == "message_stop", events)
    deltas = [event["delta"]["text"] for event in events if event["type"] == "content_block_delta"]
    expect(len(deltas) > 3 and "".join(deltas) == "a text in pieces", deltas)
    expect(said(messages) == "a text in pieces", messages)


@scenario([ADD, {"text": "it is 5"}])
async def in_process_mcp_server(trial: Trial) -> None:
    chosen = options(trial, mcp_servers={"calc": calculator()}, permission_mode="bypassPermissions")
    messages = [message async for message in query(prompt="2 + 3", options=chosen)]
    uses = [b for m in messages if isinstance(m, AssistantMessage) for b in m.content if isinstance(b, ToolUseBlock)]
    expect([use.name for use in uses] == ["mcp_calc_add"] and uses[0].input == {"a": 2, "b": 3}, uses)
    expect([block.content for block in results(messages)] == [[{"type": "text", "text": "5"}]], messages)
    expect(said(messages) == "it is 5", messages)
    first, second = trial.asked()
    expect("mcp_calc_add" in offered(first), offered(first))
    expect(texts(second, "tool") == ["5"], second)


@scenario([ADD, {"text": "it is 50"}])
async def a_permission_callback_that_allows(trial: Trial) -> None:
    asked = []

    async def allow(name, arguments, context):
        asked.append((name, arguments))
        return PermissionResultAllow(updated_input={"a": 20, "b": 30})

    chosen = options(trial, mcp_servers={"calc": calculator()}, can_use_tool=allow)
    async with ClaudeSDKClient(chosen) as client:
        await client.query("2 + 3")
        messages = [message async for message in client.receive_response()]
    expect(asked == [("mcp_calc_add", {"a": 2, "b": 3})], asked)
    expect(texts(trial.asked()[1], "tool") == ["50"], messages)


@scenario([ADD, {"text": "as you like"}])
async def a_permission_callback_that_denies(trial: Trial) -> None:
    async def deny(name, arguments, context):
        return PermissionResultDeny(message="not today")

    chosen = options(trial, mcp_servers={"calc": calculator()}, can_use_tool=deny)
    async with ClaudeSDKClient(chosen) as client:
        await client.query("2 + 3")
        messages = [message async for message in client.receive_response()]
    expect(results(messages)[0].is_error, messages)
    expect("not today" in texts(trial.asked()[1], "tool")[0], messages)
    expect(messages[-1].permission_denials[0]["tool_name"] == "mcp_calc_add", messages[-1])


@scenario([{"text": "a long answer that stalls", "fault": "stall"}, {"text": "back again"}])
async def interrupt(trial: Trial) -> None:
    async with ClaudeSDKClient(options(trial, include_partial_messages=True)) as client:
        await client.query("hi")
        async for message in client.receive_messages():
            if isinstance(message, StreamEvent):
                break
        await client.interrupt()
        messages = [message async for message in client.receive_response()]
        expect(messages[-1].subtype == "error_during_execution", messages[-1])
        await client.query("still there?")
        messages = [message async for message in client.receive_response()]
        expect(said(messages) == "back again", messages)


@scenario([{"text": "done"}])
async def mcp_status(trial: Trial) -> None:
    servers = {
        "good": trial.server("plain", alwaysLoad=True),
        "bad": {"command": "no-such-program-anywhere", "alwaysLoad": True},
        "calc": calculator(),
    }
    async with ClaudeSDKClient(options(trial, mcp_servers=servers)) as client:
        await client.query("hi")
        messages = [message async for message in client.receive_response()]
        told = [m.data for m in messages if isinstance(m, SystemMessage) and m.subtype == "mcp_status"]
        expect(not told or told[-1]["event"] == "finish", told)
        statuses = {server["name"]: server for server in (await client.get_mcp_status())["mcpServers"]}
    words = {name: server["status"] for name, server in statuses.items()}
    expect(words == {"good": "connected", "bad": "failed", "calc": "connected"}, statuses)
    expect("no-such-program-anywhere" in statuses["bad"]["error"], statuses["bad"])
    expect(any(tool["name"] == "mcp_calc_add" for tool in statuses["calc"]["tools"]), statuses["calc"])


@scenario([{"text": "done"}])
async def a_clean_exit_without_an_orphan(trial: Trial) -> None:
    servers = {
        "child": trial.server("grandchild", alwaysLoad=True),
        "deaf": trial.server("ignore-term", alwaysLoad=True),
    }
    messages = [m async for m in query(prompt="hi", options=options(trial, mcp_servers=servers))]
    expect(said(messages) == "done", messages)


if __name__ == "__main__":
    scenario.main()
