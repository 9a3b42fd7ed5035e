"""What every client does with our servers, each a function that fails by an exception."""

import asyncio
import json
import urllib.error
import urllib.request

from processes import carries, left
from recorder import recording
from refused import Refused
from trial import PATIENCE, REVISION, To, Trial, listening, same

# A server has to be gone by then when its client has closed the connection, in seconds.
END = 1.0


async def the_newest_revision_of_the_era_is_spoken(trial: Trial):
    for server in [trial.serve(), trial.time()]:
        async with server as client:
            same(client.revision, REVISION[trial.era])


async def tools_are_listed_with_schemas_and_hints(trial: Trial):
    async with trial.serve() as client:
        tools = {tool["name"]: tool for tool in await client.tools()}
    same(list(tools), ["read_file", "list_directory", "find_files", "search_text"])
    for tool in tools.values():
        assert tool["description"] and tool["outputSchema"]["type"] == "object"
        if "annotations" in tool or not shows_structure_alone(client):
            assert tool["annotations"]["readOnlyHint"]
    same(tools["search_text"]["inputSchema"]["required"], ["pattern"])


async def answers_are_text_and_structure(trial: Trial):
    async with trial.serve() as client:
        # Clients that hold an answer against its schema know it from the list.
        await client.tools()
        found = await client.call("search_text", {"pattern": "needle"})
        says(client, found, "notes.md:2:the needle")
        same(found["structuredContent"]["matches"][0]["line"], 2)
        read = (await client.call("read_file", {"path": "notes.md", "offset": 2}))["structuredContent"]
        same((read["text"], read["first_line"]), ("the needle\n", 2))
        listed = await client.call("list_directory", {})
        same([entry["name"] for entry in listed["structuredContent"]["entries"]], ["notes.md"])
        (trial.workspace / "p.png").write_bytes(b"\x89PNG\0")
        image = await client.call("read_file", {"path": "p.png", "as": "base64"})
        if not shows_structure_alone(client):
            same((image["content"][0]["type"], image["content"][0]["mimeType"]), ("image", "image/png"))


async def what_is_refused_is_told(trial: Trial):
    async with trial.serve() as client:
        fails(await client.call("read_file", {"path": "/etc/passwd"}), "outside of the workspace")
        fails(await client.call("search_text", {"pattern": "("}), "unclosed")
        for tool, arguments in [("shell", {"command": "touch made"}), ("write_file", {"path": "made", "text": ""})]:
            why = await refused(client.call(tool, arguments))
            if not getattr(client, "asks_for_listed_tools_alone", False):
                assert f"--allow {tool}" in why, why
    assert not (trial.workspace / "made").exists()


async def arguments_that_do_not_fit_are_told(trial: Trial):
    async with trial.serve() as client:
        fails(await client.call("read_file", {"path": 7}), "/path: 7 is not of type")
        fails(await client.call("read_file", {"path": "notes.md", "offset": -1}), "offset")
        fails(await client.call("read_file", {"path": "notes.md", "odd": True}), "odd")
        # A client may look itself.
        try:
            fails(await client.call("search_text", {}), "pattern")
        except Refused as error:
            assert "pattern" in str(error), error
        read = await client.call("read_file", {"path": "notes.md"})
        same(read["structuredContent"]["lines"], 2)


async def twenty_calls_at_once_are_answered_each_by_its_own(trial: Trial):
    for number in range(20):
        (trial.workspace / f"{number}.txt").write_text(f"text {number}\n")
    async with trial.serve() as client:

        async def read(number: int):
            read = await client.call("read_file", {"path": f"{number}.txt"})
            same(read["content"][0]["text"], f"text {number}\n")

        await asyncio.gather(*(read(number) for number in range(20)))


async def what_is_allowed_is_done(trial: Trial):
    async with trial.allowing("shell,write_file,edit_file") as client:
        same(len(await client.tools()), 7)
        await client.call("write_file", {"path": "new.txt", "text": "old"})
        await client.call("edit_file", {"path": "new.txt", "old_text": "old", "new_text": "new"})
        ran = await client.call("shell", {"command": "cat notes.md; exit 3"})
        same(ran["structuredContent"]["exit_code"], 3)
        same(ran["structuredContent"]["output"], "one\nthe needle\n")
    same((trial.workspace / "new.txt").read_text(), "new")


async def a_command_tells_its_progress(trial: Trial):
    heard, wait = [], "echo begun; until [ -e go ]; do sleep 0.1; done; cat notes.md; exit 3"

    def hear(progress):
        heard.append(progress["message"])
        (trial.workspace / "go").touch()

    async with trial.allowing("shell") as client:
        ran = await client.call("shell", {"command": wait}, hear)
        same(ran["structuredContent"]["exit_code"], 3)
        says(client, ran, "begun\none\nthe needle\n")
    same(heard[0], "begun")


async def a_call_that_is_given_up_ends_its_command(trial: Trial):
    told = trial.workspace / "pid"
    async with trial.allowing("shell") as client:
        call = asyncio.create_task(client.call("shell", {"command": "echo $$ > pid; exec sleep 600"}))
        while not (told.exists() and told.read_text().strip()):
            assert not call.done(), call
            await asyncio.sleep(0.05)
        pid = told.read_text().strip()
        call.cancel()
        await asyncio.wait([call])
        while carries(pid, trial.mark):
            await asyncio.sleep(0.05)


async def local_time_has_tools_and_a_resource(trial: Trial):
    async with trial.time() as client:
        tools = [tool["name"] for tool in await client.tools()]
        same(sorted(tools), ["format_time", "get_current_time", "list_timezones", "time_diff"])
        now = await client.call("get_current_time", {"tz": "Asia/Tokyo"})
        same(now["structuredContent"]["timezone"], "Asia/Tokyo")
        assert now["structuredContent"]["datetime"].endswith("+09:00[Asia/Tokyo]"), now
        same([resource["uri"] for resource in await client.resources()], ["time://now"])
        read = (await client.read("time://now"))["contents"][0]
        same((read["uri"], read["mimeType"]), ("time://now", "text/plain"))
        assert read["text"].startswith("20"), read
        await refused(client.read("time://then"))


async def local_time_has_a_prompt(trial: Trial):
    async with trial.time() as client:
        same([prompt["name"] for prompt in await client.prompts()], ["convert_time"])
        got = await client.prompt("convert_time", {"time": "09:30", "from": "Tokyo", "to": "Berlin"})
        same(got["messages"][0]["role"], "user")
        text = got["messages"][0]["content"]["text"]
        assert text.startswith("What is 09:30 in Tokyo as the time in Berlin?"), text
        await refused(client.prompt("convert_time", {"time": "09:30"}))


async def lists_come_whole_in_pages(trial: Trial):
    numbers = [f"number_{number}" for number in range(1, 6)]
    async with trial.many() as client:
        same([tool["name"] for tool in await client.tools()], [*numbers, "logs"])
        # That client shows one page of resources, and no prompts.
        if trial.client != "mcporter":
            same([resource["name"] for resource in await client.resources()], numbers)
            same([prompt["name"] for prompt in await client.prompts()], numbers)
        says(client, await client.call("number_5", {}), "5")


async def a_ping_is_answered(trial: Trial):
    for server in [trial.serve(), trial.time()]:
        async with server as client:
            await client.ping()


async def messages_of_the_level_that_was_set_are_logged(trial: Trial):
    async with trial.many() as client:
        await client.log_level("error")
        if hasattr(client, "messages"):
            await client.call("logs", {})
            while not client.messages():
                await asyncio.sleep(0.05)
            messages = [(said["level"], said["logger"], said["data"]) for said in client.messages()]
            same(messages, [("error", "many", "loud")])


async def nothing_is_left_a_second_after_the_end(trial: Trial):
    if trial.way == "stdio":
        async with trial.serve() as client:
            await client.call("read_file", {"path": "notes.md"})
            # Beside the client's own end, since some send a signal after two seconds.
            there = asyncio.create_task(asyncio.to_thread(left, trial.mark, END))
        same(await there, [])
        return
    with listening(trial.serving(), trial.env) as url, recording(url) as recorder:
        async with trial.connected(To(url=recorder.url)) as client:
            await client.call("read_file", {"path": "notes.md"})
        sessions = {seen.session for seen in recorder.seen if seen.session}
        ended = {seen.session for seen in recorder.seen if seen.method == "DELETE" and seen.status < 300}
        if trial.era == "modern":
            same(sessions, set())
            return
        assert sessions and sessions == ended, recorder.seen
        for session in sessions:
            same(asked(url, {"Mcp-Session-Id": session, "MCP-Protocol-Version": REVISION["legacy"]}), 404)


async def pages_of_other_origins_are_refused(trial: Trial):
    with listening(trial.serving(), trial.env) as url:
        for name, value in [("Origin", "http://elsewhere.example"), ("Host", "elsewhere.example")]:
            same(asked(url, {name: value}), 403)

        async def connects():
            async with trial.connected(To(url=url, headers={"Origin": "http://elsewhere.example"})) as client:
                await client.tools()

        await refused(connects())
        async with trial.connected(To(url=url, headers={"Origin": "http://localhost:6274"})) as client:
            same(len(await client.tools()), 4)


def asked(url: str, headers: dict) -> int:
    """The status of a request that any server of ours answers."""
    types = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    request = urllib.request.Request(url, body, {**types, **headers})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def shows_structure_alone(client) -> bool:
    return getattr(client, "shows_structure_alone", False)


def says(client, result, text: str):
    if "content" in result or not shows_structure_alone(client):
        same(result["content"][0]["text"], text)


def fails(result, why: str):
    assert result["isError"] and why in result["content"][0]["text"], result


async def refused(answer) -> str:
    try:
        result = await answer
    except Refused as error:
        return str(error)
    raise AssertionError(f"it was not refused: {result}")
