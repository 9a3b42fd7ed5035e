"""Clients that are command lines: a process for each thing that is done, which connects, does it and leaves."""

import asyncio
import json
import os
import signal

from refused import Refused


class Command:
    """What both have: a file that names the server, and a home of their own."""

    # Whether a tool that is not listed is refused without asking the server.
    asks_for_listed_tools_alone = False
    # Whether a structured answer is shown without its other content.
    shows_structure_alone = False

    def __init__(self, trial, to):
        self._era, (self._node, self._script) = trial.era, trial.programs.driver
        self._home = trial.folder / f"client-{len(list(trial.folder.iterdir()))}"
        self._home.mkdir()
        self._file = self._home / "servers.json"
        place = self._place(to) if to.url else {"command": to.command[0], "args": to.command[1:], "env": to.env}
        self._file.write_text(json.dumps({"mcpServers": {"it": place}, "imports": []}))

    async def __aenter__(self):
        self.revision = await self._revision()
        return self

    async def __aexit__(self, *_):
        pass

    async def _run(self, *arguments: str) -> tuple:
        """How it ended, and what it wrote to both."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            self._node,
            self._script,
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            env={"PATH": f"{os.path.dirname(self._node)}:{os.environ['PATH']}", "HOME": str(self._home)},
        )
        try:
            out, err = await process.communicate()
        except asyncio.CancelledError:
            process.send_signal(signal.SIGINT)
            await process.communicate()
            raise
        return process.returncode, out.decode(), err.decode()


class Inspector(Command):
    """`@modelcontextprotocol/inspector --cli`."""

    asks_for_listed_tools_alone = True

    def _place(self, to):
        return {"type": "streamable-http", "url": to.url, "headers": to.headers}

    async def _revision(self):
        return (await self._do("initialize"))["protocolVersion"]

    async def _do(self, method, *more: str):
        era = "legacy" if self._era == "legacy" else "auto"
        server = ["--config", str(self._file), "--server", "it", "--protocol-era", era]
        end, out, err = await self._run("--cli", "--format", "json", *server, "--method", method, *more)
        if out:
            return json.loads(out)["result"]
        raise Refused(err or f"it ended with {end}")

    async def tools(self):
        return (await self._do("tools/list"))["tools"]

    async def resources(self):
        return (await self._do("resources/list"))["resources"]

    async def prompts(self):
        return (await self._do("prompts/list"))["prompts"]

    async def call(self, tool, arguments, heard=None):
        return await self._do("tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments))

    async def read(self, uri):
        return await self._do("resources/read", "--uri", uri)

    async def prompt(self, name, arguments):
        pairs = [f"{key}={value}" for key, value in arguments.items()]
        return await self._do("prompts/get", "--prompt-name", name, "--prompt-args", *pairs)

    async def log_level(self, level):
        await self._do("logging/setLevel", "--log-level", level)


class Mcporter(Command):
    """`mcporter`."""

    shows_structure_alone = True

    def _place(self, to):
        return {"baseUrl": to.url, "headers": to.headers}

    async def _revision(self):
        """What was agreed on is in its own record of the messages."""
        listing = [self._node, self._script, "--config", str(self._file), "list", "it", "--json"]
        end, out, err = await self._run("--config", str(self._file), "record", "one", "--server", "it", "--", *listing)
        if end:
            raise Refused(out + err)
        for line in (self._home / ".mcporter/recordings/one.ndjson").read_text().splitlines():
            if version := find(json.loads(line), "result", "protocolVersion"):
                return version
        raise AssertionError("nothing was agreed on")

    async def _do(self, *arguments: str):
        end, out, err = await self._run("--config", str(self._file), *arguments)
        try:
            said = json.loads(out)
        except ValueError:
            raise Refused(out + err or f"it ended with {end}") from None
        if end and "error" in said:
            raise Refused(said["error"])
        return said

    async def tools(self):
        return (await self._do("list", "it", "--json"))["tools"]

    async def resources(self):
        return (await self._do("resource", "it", "--json"))["resources"]

    async def call(self, tool, arguments, heard=None):
        said = await self._do("call", "--output", "json", f"it.{tool}", "--args", json.dumps(arguments))
        return said if isinstance(said, dict) and "content" in said else {"structuredContent": said}

    async def read(self, uri):
        return await self._do("resource", "it", uri, "--json")


def find(value, *path):
    """What stands at a path within any of the objects of a value."""
    if not isinstance(value, dict):
        return None
    inner = value
    for name in path:
        inner = inner.get(name) if isinstance(inner, dict) else None
    return inner or next((found for one in value.values() if (found := find(one, *path))), None)
