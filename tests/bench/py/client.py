"""A client made with the official Python SDK: see `tests/bench/README.md`."""

import json
import os
import sys
import time
from contextlib import AsyncExitStack

if len(sys.argv) < 2 or sys.argv[1] == "--version":
    import mcp  # noqa: F401  (whatever is made with it pays for that)

    print("bench-py 0.1.0")
    sys.exit(0)

import anyio
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

NAMED = sys.argv[1]
OPTIONS = {"server": "", "url": "", "kind": "plain", "size": 100, "n": 1000, "warmup": 0, "inflight": 1, "servers": 1}
for name, value in zip(sys.argv[2::2], sys.argv[3::2]):
    usual = OPTIONS[name.removeprefix("--")]
    OPTIONS[name.removeprefix("--")] = int(value) if isinstance(usual, int) else value
N = OPTIONS["n"]

# How many bytes a piece has in a message is not what it has here: quotes and line ends are escaped.
PIECES = {"plain": ("abcdefghijklmnopqrstuvwxyz012345", 32), "esc": ('{"key": "some value", "n": 12345},\n', 42)}
PIECE, WIRE = PIECES[OPTIONS["kind"]]
TEXT = PIECE * (OPTIONS["size"] // WIRE) + "x" * (OPTIONS["size"] % WIRE)


async def connected(stack):
    command, *arguments = OPTIONS["server"].split() or [""]
    target = OPTIONS["url"] or stdio_client(StdioServerParameters(command=command, args=arguments))
    return await stack.enter_async_context(Client(target, mode="legacy"))


async def call(client):
    result = await client.call_tool("echo", {"text": TEXT})
    assert len(result.content[0].text) == len(TEXT)


async def every_tool(client):
    tools, cursor = [], None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if not cursor:
            return tools


def memory(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name + ":"))


class Stopwatch:
    def __init__(self):
        self.cpu, self.wall = time.process_time(), time.perf_counter()

    def stop(self):
        wall, cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu
        return {"wall_us": int(wall * 1e6), "cpu_us": int(cpu * 1e6), "rss_kb": memory("VmRSS")}


async def ready_to_call(stack):
    client = await connected(stack)
    # The SDK lists again at every call of a tool that it has not seen.
    await every_tool(client)
    for _ in range(OPTIONS["warmup"]):
        await call(client)
    return client


async def one_after_another():
    async with AsyncExitStack() as stack:
        client = await ready_to_call(stack)
        each = []
        watch = Stopwatch()
        for _ in range(N):
            begin = time.perf_counter()
            await call(client)
            each.append((time.perf_counter() - begin) * 1e6)
        outcome = watch.stop()
        each.sort()
        for name, part in (("min_us", 0), ("p50_us", 0.5), ("p99_us", 0.99)):
            outcome[name] = round(each[int((len(each) - 1) * part)], 2)
        finish(outcome)


async def in_flight():
    async with AsyncExitStack() as stack:
        client = await ready_to_call(stack)
        left = N

        async def some():
            nonlocal left
            while left > 0:
                left -= 1
                await call(client)

        watch = Stopwatch()
        async with anyio.create_task_group() as group:
            for _ in range(min(OPTIONS["inflight"], N)):
                group.start_soon(some)
        finish(watch.stop())


async def connect():
    # A task owns each connection, since the SDK's scopes have to nest within one.
    counts, all_there = [], anyio.Event()

    async def one():
        async with AsyncExitStack() as stack:
            client = await connected(stack)
            counts.append(len(await every_tool(client)))
            if len(counts) == OPTIONS["servers"]:
                all_there.set()
            await anyio.sleep_forever()

    watch = Stopwatch()
    async with anyio.create_task_group() as group:
        for _ in range(OPTIONS["servers"]):
            group.start_soon(one)
        await all_there.wait()
        finish({**watch.stop(), "tools": sum(counts)})


async def list_one():
    async with AsyncExitStack() as stack:
        client = await connected(stack)
        watch = Stopwatch()
        tools = await every_tool(client)
        finish({**watch.stop(), "tools": len(tools)})


def finish(outcome):
    """Prints and ends: servers end with their input."""
    asked = {name: OPTIONS[name] for name in ("n", "size", "inflight", "servers")}
    print(json.dumps({"impl": "py", "scenario": NAMED, **asked, **outcome, "peak_kb": memory("VmHWM")}), flush=True)
    os._exit(0)


SCENARIOS = {"seq": one_after_another, "pipe": in_flight, "connect": connect, "list": list_one}
anyio.run(SCENARIOS[NAMED.removeprefix("http-")])
