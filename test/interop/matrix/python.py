"""The official Python client as a command for `grade`: lists, calls, reads and ends. MODE=legacy begins with the handshake."""
import asyncio
import os
import sys

import httpx2
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client

MAX_PAGES = 50


async def all_pages(fetch, field):
    items, cursor = [], None
    for _ in range(MAX_PAGES):
        page = await (fetch(cursor=cursor) if cursor is not None else fetch())
        items += getattr(page, field)
        cursor = page.next_cursor
        if cursor is None:
            return items
    raise RuntimeError(f"more than {MAX_PAGES} pages")


async def sample(_context, _params):
    return types.CreateMessageResult(role="assistant", model="none", content=types.TextContent(type="text", text="Paris"))


async def elicit(_context, _params):
    return types.ElicitResult(action="accept", content={"name": "Ada"})


async def roots(_context):
    return types.ListRootsResult(roots=[])


async def on_progress(*_step):
    pass


async def work() -> None:
    headers = {"Authorization": f"Bearer {os.environ['MCP_TOKEN']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=8) as http:
        transport = streamable_http_client(os.environ["MCP_URL"], http_client=http)
        async with Client(
            transport,
            mode=os.environ.get("MODE", "auto"),
            read_timeout_seconds=4,
            sampling_callback=sample,
            elicitation_callback=elicit,
            list_roots_callback=roots,
        ) as client:
            print(*[tool.name for tool in await all_pages(client.list_tools, "tools")])
            for name, arguments in (("list_workspaces", {}), ("find_explorations", {"query": "refund"}), ("ping", {})):
                result = await client.call_tool(name, arguments, progress_callback=on_progress)
                print(str(result.structured_content or result.content)[:2000])
            resources = await all_pages(client.list_resources, "resources")
            print(*[str(resource.uri) for resource in resources])
            print(str((await client.read_resource("service://test/workspaces")).contents)[:2000])


def words(error: BaseException) -> str:
    inner = getattr(error, "exceptions", None)
    return " / ".join(words(each) for each in inner) if inner else f"{type(error).__name__}: {error}"


try:
    asyncio.run(work())
except BaseException as error:  # noqa: BLE001 - what ends the client is what the run is about
    print(f"Error: {words(error)}"[:1000], file=sys.stderr)
    sys.exit(1)
