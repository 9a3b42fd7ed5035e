"""The official Python SDK's client, and FastMCP's."""

import httpx2
import mcp
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from refused import Refused


class Sdk:
    """`mcp.Client`."""

    def __init__(self, trial, to):
        self._messages = []
        if to.url:
            place = streamable_http_client(to.url, http_client=httpx2.AsyncClient(headers=to.headers, timeout=60))
        else:
            place = StdioServerParameters(command=to.command[0], args=to.command[1:], env=to.env)
        self._client = self._made(place, to, "legacy" if trial.era == "legacy" else "auto")

    def _made(self, place, to, mode):
        return mcp.Client(place, mode=mode, logging_callback=self._log)

    async def _log(self, params):
        self._messages.append(plain(params))

    async def __aenter__(self):
        try:
            await self._client.__aenter__()
        except Exception as error:
            raise Refused(told(error)) from error
        self.revision = self._client.protocol_version
        return self

    async def __aexit__(self, *how):
        await self._client.__aexit__(*how)

    async def tools(self):
        return await self._all(self._client.list_tools, "tools")

    async def resources(self):
        return await self._all(self._client.list_resources, "resources")

    async def prompts(self):
        return await self._all(self._client.list_prompts, "prompts")

    async def _all(self, listed, name):
        found, cursor = [], None
        while True:
            page = plain(await listed(cursor=cursor))
            found += page[name]
            cursor = page.get("nextCursor")
            if cursor is None:
                return found

    async def call(self, tool, arguments, heard=None):
        async def hear(done, total, message):
            heard({"progress": done, "total": total, "message": message})

        return await answered(self._call(tool, arguments, hear if heard else None))

    def _call(self, tool, arguments, hear):
        return self._client.call_tool(tool, arguments, progress_callback=hear)

    async def read(self, uri):
        return await answered(self._client.read_resource(uri))

    async def prompt(self, name, arguments):
        return await answered(self._client.get_prompt(name, arguments))

    async def ping(self):
        await self._client.send_ping()

    async def log_level(self, level):
        await self._client.set_logging_level(level)

    def messages(self):
        return self._messages


class FastMcp(Sdk):
    """`fastmcp.Client`."""

    def _made(self, place, to, mode):
        import fastmcp
        from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

        if to.url:
            place = StreamableHttpTransport(to.url, headers=to.headers)
        else:
            place = StdioTransport(to.command[0], to.command[1:], env=to.env, keep_alive=False)
        return fastmcp.Client(place, mode=mode, log_handler=self._log)

    def _call(self, tool, arguments, hear):
        return self._client.call_tool_mcp(tool, arguments, progress_handler=hear)

    async def tools(self):
        return await self._all(self._client.list_tools_mcp, "tools")

    async def resources(self):
        return await self._all(self._client.list_resources_mcp, "resources")

    async def prompts(self):
        return await self._all(self._client.list_prompts_mcp, "prompts")

    async def read(self, uri):
        return await answered(self._client.read_resource_mcp(uri))

    async def prompt(self, name, arguments):
        return await answered(self._client.get_prompt_mcp(name, arguments))

    async def ping(self):
        assert await self._client.ping()


def plain(value):
    """As it came over the wire."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


async def answered(answer):
    try:
        return plain(await answer)
    except Exception as error:
        raise Refused(told(error)) from error


def told(error: BaseException) -> str:
    """The words of an error, and of those that it holds."""
    inner = getattr(error, "exceptions", ())
    return " ".join([str(error), *(told(one) for one in inner)])
