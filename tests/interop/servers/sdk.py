"""A server made with the official Python SDK: resolvers, subscriptions, changing lists, in both eras.

Without arguments it is reached by its standard streams, with a port and a name over HTTP.
"""

import sys
from typing import Annotated

import mcp_types as types
from mcp.server.elicitation import (
    AcceptedElicitation,
    CancelledElicitation,
    DeclinedElicitation,
    ElicitationResult,
)
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, ListRoots, Resolve, Sample
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BaseModel

server = MCPServer("interop-sdk", version="4.5.6", title="Interop")


class Person(BaseModel):
    name: str
    age: int = 7


def who() -> Elicit[Person]:
    return Elicit("Who are you?", Person)


def model() -> Sample:
    words = types.TextContent(type="text", text="Say something")
    return Sample([types.SamplingMessage(role="user", content=words)], max_tokens=9)


def roots() -> ListRoots:
    return ListRoots()


@server.tool()
def asks(person: Annotated[ElicitationResult[Person], Resolve(who)]) -> str:
    """Asks a person."""
    match person:
        case AcceptedElicitation(data=data):
            return f"accept {data.name} {data.age}"
        case DeclinedElicitation():
            return "decline"
        case CancelledElicitation():
            return "cancel"


@server.tool()
def samples(answer: Annotated[types.CreateMessageResult, Resolve(model)]) -> str:
    """Asks a model."""
    return f"{answer.model} said {answer.content.text}"


@server.tool()
def looks(listed: Annotated[types.ListRootsResult, Resolve(roots)]) -> str:
    """Asks for directories."""
    return " ".join(f"{root.name}={root.uri}" for root in listed.roots)


@server.tool()
async def touches(uri: str, ctx: Context) -> str:
    """Says that a resource changed."""
    await ctx.notify_resource_updated(uri)
    return "touched"


@server.tool()
async def grows(name: str, ctx: Context) -> str:
    """Adds a tool, a prompt and a resource, and says so."""

    def grown() -> str:
        return "new here"

    server.tool(name)(grown)
    server.prompt(name)(grown)
    server.resource(f"interop://{name}")(grown)

    await ctx.notify_tools_changed()
    await ctx.notify_prompts_changed()
    await ctx.notify_resources_changed()
    return "grown"


@server.resource("interop://watched")
def watched() -> str:
    """A resource to be watched."""
    return "watched"


@server.prompt()
def greets(name: str) -> str:
    """A greeting."""
    return f"Greet {name}."


if len(sys.argv) == 1:
    server.run()
else:
    port, name = sys.argv[1:]
    hosts = TransportSecuritySettings(allowed_hosts=["127.0.0.1:*", f"{name}:*"])
    server.run("streamable-http", host="127.0.0.1", port=int(port), transport_security=hosts)
