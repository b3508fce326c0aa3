"""The official Python client as a command for `grade`: lists, calls, reads and ends. MODE=legacy begins with the handshake."""
import asyncio
import json
import os
import sys
from urllib.parse import parse_qsl, urlsplit

import httpx2
from mcp import Client, types
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

MAX_PAGES = 50
CALLS = (("list_workspaces", {}), ("find_explorations", {"query": "refund"}), ("ping", {}))
EXAMPLES = {"string": "text", "number": 1, "integer": 1, "boolean": True, "array": [], "object": {}}


def example_of(schema, first):
    """Arguments that fit the simple properties of a schema. One named `schema` asks for the schema of a tool, as the client has it."""
    def value(name, each):
        if name == "schema":
            return first
        kind = each.get("type")
        return each["enum"][0] if "enum" in each else EXAMPLES.get(kind[0] if isinstance(kind, list) else kind, "text")

    return {name: value(name, each) for name, each in schema.get("properties", {}).items()}


def calls_of(tools):
    """The calls that a scenario of the suite wants, or one of each tool."""
    wanted = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}")).get("toolCalls")
    if wanted is not None:
        return [(call["name"], call.get("arguments", {})) for call in wanted]
    return [(tool.name, example_of(tool.input_schema, tools[0].input_schema)) for tool in tools]


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
    return types.ElicitResult(action="accept", content={} if "MCP_CONFORMANCE_SCENARIO" in os.environ else {"name": "Ada"})


async def roots(_context):
    return types.ListRootsResult(roots=[])


async def on_progress(*_step):
    pass


class Store:
    """Keeps tokens and the registration in memory."""

    def __init__(self):
        self.tokens = None
        given = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
        self.client = OAuthClientInformationFull(
            client_id=given["client_id"], client_secret=given.get("client_secret"), redirect_uris=[CALLBACK]
        ) if "client_id" in given else None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


CALLBACK = "http://127.0.0.1:9876/callback"


def authorization(url):
    """How a token is got where none is given: the address of the authorization server is followed at once."""
    answer = {}

    async def follow(address):
        async with httpx2.AsyncClient() as browser:
            reply = await browser.get(address, follow_redirects=False)
        answer.update(parse_qsl(urlsplit(reply.headers["location"]).query))

    async def answered():
        return AuthorizationCodeResult(code=answer.get("code", ""), state=answer.get("state"), iss=answer.get("iss"))

    metadata = OAuthClientMetadata(
        client_name="matrix", redirect_uris=[CALLBACK], grant_types=["authorization_code", "refresh_token"], token_endpoint_auth_method="none"
    )
    in_suite = "MCP_CONFORMANCE_SCENARIO" in os.environ
    document = "https://conformance-test.local/client-metadata.json" if in_suite else None
    return OAuthClientProvider(url, metadata, Store(), follow, answered, client_metadata_url=document)


async def work() -> None:
    token = os.environ.get("MCP_TOKEN")
    url = os.environ.get("MCP_URL", sys.argv[-1])
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=8, auth=authorization(url) if token is None else None) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(
            transport,
            mode=os.environ.get("MODE", "auto"),
            read_timeout_seconds=4,
            sampling_callback=sample,
            elicitation_callback=elicit,
            list_roots_callback=roots,
        ) as client:
            tools = await all_pages(client.list_tools, "tools")
            print(*[tool.name for tool in tools])
            # The official suite plays servers with tools of their own: each of them is called.
            played = "MCP_CONFORMANCE_SCENARIO" in os.environ
            for name, arguments in calls_of(tools) if played else CALLS:
                result = await client.call_tool(name, arguments, progress_callback=on_progress)
                print(str(result.structured_content or result.content)[:2000])
            if played:
                return
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
