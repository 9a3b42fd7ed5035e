"""A server made with the official Python SDK: see `tests/bench/README.md`."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("bench", version="1")


@server.tool()
def echo(text: str) -> str:
    """Sends text back."""
    return text


server.run()
