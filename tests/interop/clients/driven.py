"""A client that is written in another language: a program that is told what to do, a line of JSON each, and answers likewise.

`PROGRAM.. ERA TO`, where TO is `{"command": [..], "env": {..}}` or `{"url": .., "headers": {..}}`. Its first line is
`{"revision": ..}`. It takes `{"id": .., "do": .., ..}` and answers `{"id": .., "result": ..}` or `{"id": .., "refused": ..}`, and
meanwhile `{"id": .., "progress": {..}}` and `{"message": {..}}`. `{"cancel": id}` gives a call up. At the end of its input it
closes the connection and goes away.
"""

import asyncio
import json

from refused import Refused

# The longest line.
LIMIT = 16 << 20


class Driven:
    def __init__(self, trial, to):
        place = {"url": to.url, "headers": to.headers} if to.url else {"command": to.command, "env": to.env}
        self._command = [*trial.programs.driver, trial.era, json.dumps(place)]
        self._waits, self._heard, self._messages, self._next = {}, {}, [], 0

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, limit=LIMIT
        )
        first = json.loads(await self._process.stdout.readline() or '{"refused": "it has gone"}')
        if "refused" in first:
            await self._process.wait()
            raise Refused(first["refused"])
        self.revision = first["revision"]
        self._reads = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_):
        self._process.stdin.close()
        await self._process.wait()
        await self._reads

    async def _read(self):
        async for line in self._process.stdout:
            said = json.loads(line)
            if "message" in said:
                self._messages.append(said["message"])
            elif "progress" in said:
                self._heard.get(said["id"], ignore)(said["progress"])
            elif (waits := self._waits.pop(said["id"], None)) and not waits.done():
                if "refused" in said:
                    waits.set_exception(Refused(said["refused"]))
                else:
                    waits.set_result(said["result"])
        for waits in self._waits.values():
            if not waits.done():
                waits.set_exception(AssertionError("the client has gone"))

    async def _do(self, what, heard=None, **more):
        self._next += 1
        number = self._next
        self._waits[number] = asyncio.get_running_loop().create_future()
        if heard:
            self._heard[number] = heard
        self._write({"id": number, "do": what, **more})
        try:
            return await self._waits[number]
        except asyncio.CancelledError:
            self._write({"cancel": number})
            raise

    def _write(self, line):
        self._process.stdin.write(json.dumps(line).encode() + b"\n")

    async def tools(self):
        return await self._do("tools")

    async def resources(self):
        return await self._do("resources")

    async def prompts(self):
        return await self._do("prompts")

    async def call(self, tool, arguments, heard=None):
        return await self._do("call", heard, tool=tool, arguments=arguments)

    async def read(self, uri):
        return await self._do("read", uri=uri)

    async def prompt(self, name, arguments):
        return await self._do("prompt", name=name, arguments=arguments)

    async def ping(self):
        await self._do("ping")

    async def log_level(self, level):
        await self._do("log_level", level=level)

    def messages(self):
        return self._messages


def ignore(_):
    pass
