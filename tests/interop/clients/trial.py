"""What a scenario has: a workspace, a home, servers of ours, and a look at what is left afterwards."""

import os
import re
import subprocess
import tempfile
import uuid
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from clients import CLIENTS
from processes import left

# How long something may take that happens in a moment.
PATIENCE = 120.0
REVISION = {"modern": "2026-07-28", "legacy": "2025-11-25"}
TOKEN = "a-token-of-the-trial"


@dataclass
class Programs:
    codewhale: str
    local_time: str
    # A server of many pages, with `--many`.
    interop: str
    # What drives the client.
    driver: list


@dataclass
class To:
    """A server: the command that starts it, or where it is."""

    command: list = field(default_factory=list)
    env: dict = field(default_factory=dict)
    url: str | None = None
    headers: dict = field(default_factory=dict)


class Trial:
    """One client, in one era, by one way."""

    def __init__(self, client: str, era: str, way: str, programs: Programs):
        self.client, self.era, self.way, self.programs = client, era, way, programs
        self._folder = tempfile.TemporaryDirectory(prefix="codewhale-interop-")
        self.folder = Path(self._folder.name)
        self.workspace, home = self.folder / "workspace", self.folder / "home"
        self.workspace.mkdir()
        home.mkdir()
        (self.workspace / "notes.md").write_text("one\nthe needle\n")
        self.mark = uuid.uuid4().hex
        marks = {"CODEWHALE_INTEROP_HOST": self.mark}
        self.env = {"PATH": os.environ["PATH"], "HOME": str(home), "CODEWHALE_HOME": str(home), **marks}
        (home / "config.toml").write_text('[mcp_server]\nshell_env = ["CODEWHALE_INTEROP_HOST"]\n')

    def serve(self, *more: str):
        return self.at(self.serving(*more))

    def serving(self, *more: str) -> list:
        return [self.programs.codewhale, "serve", "--mcp", "--workspace", str(self.workspace), *more]

    def allowing(self, tools: str):
        """The same with tools that change something, which over HTTP needs a token."""
        if self.way == "stdio":
            return self.serve("--allow", tools)
        self.env["TOKEN_OF_THE_TRIAL"] = TOKEN
        command = self.serving("--allow", tools, "--bearer-token-env-var", "TOKEN_OF_THE_TRIAL")
        return self.at(command, {"Authorization": f"Bearer {TOKEN}"})

    def time(self):
        return self.at([self.programs.local_time])

    def many(self):
        return self.at([self.programs.interop, "--many"])

    @asynccontextmanager
    async def at(self, command: list, headers: dict | None = None):
        """A client that has connected to this server."""
        if self.way == "stdio":
            async with self.connected(To(command, self.env)) as client:
                yield client
            return
        with listening(command, self.env) as url:
            async with self.connected(To(url=url, headers=headers or {})) as client:
                yield client

    @asynccontextmanager
    async def connected(self, to: To):
        async with CLIENTS[self.client](self, to) as client:
            same(client.revision, REVISION[self.era])
            yield client

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


def same(found, expected):
    assert found == expected, f"{found!r}, not {expected!r}"
