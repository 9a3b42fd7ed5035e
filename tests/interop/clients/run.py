"""Somebody else's client at a server of ours: one scenario, which fails by an exception.

`run.py CLIENT ERA WAY SCENARIO CODEWHALE LOCAL_TIME`, where CLIENT is `sdk` (the official Python SDK) or `fastmcp`, ERA is
`modern` or `legacy`, and WAY is `stdio` or `http`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
from contextlib import asynccontextmanager
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

import anyio
import fastmcp
import mcp
from fastmcp.client.transports import StdioTransport
from mcp.client.stdio import StdioServerParameters
from processes import carries, left

# How long something may take that happens in a moment.
PATIENCE = 60.0
REVISION = {"modern": "2026-07-28", "legacy": "2025-11-25"}


class Trial:
    """A workspace, a home, and a look at what is left afterwards."""

    def __init__(self, client: str, era: str, way: str, codewhale: str, local_time: str):
        self.client, self.era, self.way, self.codewhale, self.local_time = client, era, way, codewhale, local_time
        self._folder = tempfile.TemporaryDirectory(prefix="codewhale-interop-")
        self.workspace, home = Path(self._folder.name) / "workspace", Path(self._folder.name) / "home"
        self.workspace.mkdir()
        home.mkdir()
        (self.workspace / "notes.md").write_text("one\nthe needle\n")
        self.mark = uuid.uuid4().hex
        marks = {"CODEWHALE_INTEROP_HOST": self.mark}
        self.env = {"PATH": os.environ["PATH"], "HOME": str(home), "CODEWHALE_HOME": str(home), **marks}
        (home / "config.toml").write_text('[mcp_server]\nshell_env = ["CODEWHALE_INTEROP_HOST"]\n')

    def serve(self, *more: str):
        return self.at([self.codewhale, "serve", "--mcp", "--workspace", str(self.workspace), *more])

    def time(self):
        return self.at([self.local_time])

    @asynccontextmanager
    async def at(self, command: list):
        """A client that has connected to this server."""
        mode = "legacy" if self.era == "legacy" else "auto"
        with listening(command, self.env) if self.way == "http" else nothing() as url:
            if self.client == "sdk":
                process = StdioServerParameters(command=command[0], args=command[1:], env=self.env)
                client = mcp.Client(url or process, mode=mode)
            else:
                process = StdioTransport(command[0], command[1:], env=self.env, keep_alive=False)
                client = fastmcp.Client(url or process, mode=mode)
            async with client:
                same(client.protocol_version, REVISION[self.era])
                yield client

    async def call(self, client, tool: str, arguments: dict, heard=None):
        """The result as it came."""
        if self.client == "sdk":
            return await client.call_tool(tool, arguments, progress_callback=heard)
        return await client.call_tool_mcp(tool, arguments, progress_handler=heard)

    def left(self) -> list:
        """Processes of this trial that are still there after a while."""
        return left(self.mark)


class listening:
    """A server that says on standard error where it listens."""

    def __init__(self, command: list, env: dict):
        self._command, self._env = [*command, "--listen", "127.0.0.1:0"], env

    def __enter__(self) -> str:
        self._process = subprocess.Popen(
            self._command, env=self._env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        for line in self._process.stderr:
            if found := re.search(r"http://\S+", line):
                return found[0]
        raise AssertionError("the server does not say where it is")

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._process.stderr.close()


class nothing:
    def __enter__(self):
        return None

    def __exit__(self, *_):
        pass


def same(found, expected):
    assert found == expected, f"{found!r}, not {expected!r}"


def tools_of(listed) -> dict:
    return {tool.name: tool for tool in getattr(listed, "tools", listed)}


async def tools_are_listed_with_schemas_and_hints(trial: Trial):
    async with trial.serve() as client:
        tools = tools_of(await client.list_tools())
    same(list(tools), ["read_file", "list_directory", "find_files", "search_text"])
    for tool in tools.values():
        assert tool.annotations.read_only_hint and tool.description and tool.output_schema["type"] == "object"
    same(tools["search_text"].input_schema["required"], ["pattern"])


async def answers_are_text_and_structure(trial: Trial):
    async with trial.serve() as client:
        await client.list_tools()
        found = await trial.call(client, "search_text", {"pattern": "needle"})
        same(found.content[0].text, "notes.md:2:the needle")
        same(found.structured_content["matches"][0]["line"], 2)
        read = await trial.call(client, "read_file", {"path": "notes.md", "offset": 2})
        same((read.structured_content["text"], read.structured_content["first_line"]), ("the needle\n", 2))
        listed = await trial.call(client, "list_directory", {})
        same([entry["name"] for entry in listed.structured_content["entries"]], ["notes.md"])
        (trial.workspace / "p.png").write_bytes(b"\x89PNG\0")
        image = await trial.call(client, "read_file", {"path": "p.png", "as": "base64"})
        same((image.content[0].type, image.content[0].mime_type), ("image", "image/png"))


async def what_is_refused_is_told(trial: Trial):
    async with trial.serve() as client:
        outside = await trial.call(client, "read_file", {"path": "/etc/passwd"})
        assert outside.is_error and "outside of the workspace" in outside.content[0].text
        wrong = await trial.call(client, "search_text", {"pattern": "("})
        assert wrong.is_error and "unclosed" in wrong.content[0].text
        try:
            await trial.call(client, "shell", {"command": "touch made"})
        except Exception as error:
            assert "has not allowed `shell`" in str(error), error
        else:
            raise AssertionError("a tool that is not allowed was called")
    assert not (trial.workspace / "made").exists()


async def twenty_calls_at_once_are_answered_each_by_its_own(trial: Trial):
    for number in range(20):
        (trial.workspace / f"{number}.txt").write_text(f"text {number}\n")
    async with trial.serve() as client:

        async def read(number: int):
            read = await trial.call(client, "read_file", {"path": f"{number}.txt"})
            same(read.content[0].text, f"text {number}\n")

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(read, number)


async def a_command_tells_its_progress_and_files_are_changed(trial: Trial):
    heard, wait = [], "echo begun; until [ -e go ]; do sleep 0.1; done; cat notes.md; exit 3"

    async def hear(done, total, message):
        heard.append(message)
        (trial.workspace / "go").touch()

    async with trial.serve("--allow", "shell,write_file,edit_file") as client:
        ran = await trial.call(client, "shell", {"command": wait}, hear)
        same((ran.structured_content["exit_code"], ran.content[0].text), (3, "begun\none\nthe needle\n"))
        await trial.call(client, "write_file", {"path": "new.txt", "text": "old"})
        await trial.call(client, "edit_file", {"path": "new.txt", "old_text": "old", "new_text": "new"})
    same((trial.workspace / "new.txt").read_text(), "new")
    same(heard[0], "begun")


async def a_call_that_is_given_up_ends_its_command(trial: Trial):
    async with trial.serve("--allow", "shell") as client:
        with anyio.move_on_after(2):
            await trial.call(client, "shell", {"command": "echo $$ > pid; exec sleep 600"})
        pid = (trial.workspace / "pid").read_text().strip()
        with anyio.fail_after(PATIENCE):
            while Path(f"/proc/{pid}").exists() and carries(pid, trial.mark):
                await anyio.sleep(0.05)


async def local_time_has_tools_a_resource_and_a_prompt(trial: Trial):
    async with trial.time() as client:
        tools = tools_of(await client.list_tools())
        same(sorted(tools), ["format_time", "get_current_time", "list_timezones", "time_diff"])
        now = await trial.call(client, "get_current_time", {"tz": "Asia/Tokyo"})
        assert "+09:00[Asia/Tokyo]" in json.dumps(now.structured_content), now
        read = await client.read_resource("time://now")
        assert getattr(read, "contents", read)
        prompts = await client.list_prompts()
        assert getattr(prompts, "prompts", prompts)


def main():
    client, era, way, scenario, codewhale, local_time = sys.argv[1:]
    trial = Trial(client, era, way, codewhale, local_time)

    async def run():
        with anyio.fail_after(PATIENCE):
            await globals()[scenario](trial)

    anyio.run(run)
    same(trial.left(), [])


main()
