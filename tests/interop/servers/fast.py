"""A server made with FastMCP: what the ready-made ones do not offer, in both eras.

Without arguments it is reached by its standard streams, with a port and a name over HTTP.
"""

import asyncio
import json
import sys
from dataclasses import dataclass

import mcp_types as types
from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.utilities.types import Audio, Image

PIXEL = bytes.fromhex("89504e470d0a1a0a")
SOUND = b"RIFF\x04\x00\x00\x00WAVE"

server = FastMCP("interop", version="1.2.3", instructions="Made for interop.")


@dataclass
class Weather:
    city: str
    degrees: float
    tags: list[str]


@server.tool
def say(text: str) -> str:
    """Says it back."""
    return text


@server.tool
def picture() -> Image:
    """A picture."""
    return Image(data=PIXEL, format="png")


@server.tool
def sound() -> Audio:
    """A sound."""
    return Audio(data=SOUND, format="wav")


@server.tool
def weather(city: str) -> Weather:
    """Structured content."""
    return Weather(city=city, degrees=-1.5, tags=["cold", "ünï"])


@server.tool
def fails(why: str) -> str:
    """Fails as a tool does."""
    raise ToolError(why)


@server.tool
async def counts(to: int, ctx: Context) -> str:
    """Reports progress, slowly enough to be long."""
    for step in range(1, to + 1):
        await ctx.report_progress(step, to, f"step {step}")
        await asyncio.sleep(0.5)
    return f"counted to {to}"


@server.tool
async def waits(trace: str, ctx: Context) -> str:
    """Waits until it is cancelled, and writes down that it was."""
    await ctx.report_progress(0, None, "waiting")
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        with open(trace, "a") as file:
            file.write("cancelled\n")
        raise
    return "was not cancelled"


def form(message: str) -> types.ElicitRequest:
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Name", "minLength": 1},
            "age": {"type": "integer", "minimum": 0},
            "color": {"type": "string", "enum": ["red", "green"]},
        },
        "required": ["name"],
    }
    params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
    return types.ElicitRequest(params=params)


def sampling(question: str) -> types.CreateMessageRequest:
    words = types.TextContent(type="text", text=question)
    params = types.CreateMessageRequestParams(
        messages=[types.SamplingMessage(role="user", content=words)],
        max_tokens=50,
        system_prompt="Be short.",
    )
    return types.CreateMessageRequest(params=params)


def modern(ctx: Context) -> bool:
    return ctx.request_context.protocol_version >= "2026-07-28"


def told(answer: types.ElicitResult) -> str:
    content = json.dumps(answer.content or {}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"{answer.action} {content}"


@server.tool
async def asks(ctx: Context) -> str | types.InputRequiredResult:
    """Asks a person."""
    if not modern(ctx):
        request = form("Who are you?").params
        return told(await ctx.session.elicit_form(request.message, request.requested_schema, ctx.request_id))
    if ctx.input_responses is None:
        return types.InputRequiredResult(input_requests={"who": form("Who are you?")}, request_state="first")
    assert ctx.request_state == "first"
    return told(ctx.input_responses["who"])


@server.tool
async def samples(question: str, ctx: Context) -> str | types.InputRequiredResult:
    """Asks a model."""
    if not modern(ctx):
        params = sampling(question).params
        answer = await ctx.session.create_message(
            params.messages, max_tokens=50, system_prompt="Be short.", related_request_id=ctx.request_id
        )
    elif ctx.input_responses is None:
        return types.InputRequiredResult(input_requests={"model": sampling(question)})
    else:
        answer = ctx.input_responses["model"]
    return f"{answer.model} said {answer.content.text}"


@server.tool
async def looks(ctx: Context) -> str | types.InputRequiredResult:
    """Asks for directories."""
    if not modern(ctx):
        answer = await ctx.session.list_roots()
    elif ctx.input_responses is None:
        return types.InputRequiredResult(input_requests={"roots": types.ListRootsRequest()})
    else:
        answer = ctx.input_responses["roots"]
    return " ".join(f"{root.name}={root.uri}" for root in answer.roots)


@server.tool
async def asks_twice(ctx: Context) -> str | types.InputRequiredResult:
    """Asks in two rounds, several things at once in the first."""
    if not modern(ctx):
        raise ToolError("only in the modern era")
    if ctx.input_responses is None:
        requests = {"one": form("One?"), "two": sampling("Two?")}
        return types.InputRequiredResult(input_requests=requests, request_state="round 1")
    if ctx.request_state == "round 1":
        known = f"{told(ctx.input_responses['one'])}, {ctx.input_responses['two'].content.text}"
        return types.InputRequiredResult(input_requests={"three": form("Three?")}, request_state=known)
    return f"{ctx.request_state}, {told(ctx.input_responses['three'])}"


@server.tool
async def grows(name: str, ctx: Context) -> str:
    """Adds a tool."""

    def grown() -> str:
        """Was not there before."""
        return "new here"

    server.tool(grown, name=name)
    await ctx.send_notification(types.ToolListChangedNotification())
    return "grown"


@server.resource("interop://text", mime_type="text/plain")
def text_resource() -> str:
    """A text."""
    return "a text, ünï"


@server.resource("interop://bytes", mime_type="application/octet-stream")
def bytes_resource() -> bytes:
    """Bytes."""
    return bytes([0, 1, 254, 255])


@server.resource("interop://item/{number}", mime_type="text/plain")
def item(number: int) -> str:
    """One of many."""
    return f"item {number}"


@server.prompt
def greets(name: str, tone: str = "kind") -> str:
    """A greeting."""
    return f"Greet {name} in a {tone} way."


@server.completion
def completes(reference, argument, context):
    known = (context.arguments or {}) if context else {}
    if isinstance(reference, types.PromptReference) and argument.name == "tone":
        tones = ["kind", "keen", f"for {known.get('name', 'nobody')}"]
        return [tone for tone in tones if tone.startswith(argument.value)]
    if argument.name == "number":
        return [str(number) for number in range(150) if str(number).startswith(argument.value)]
    return None


if len(sys.argv) == 1:
    server.run(show_banner=False)
else:
    port, name = sys.argv[1:]
    server.run("http", show_banner=False, host="127.0.0.1", port=int(port), allowed_hosts=[name])
