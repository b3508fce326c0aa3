"""The official Python client against the product: negotiating, and with the handshake. Prints what it saw as JSON."""
import asyncio
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def converse(url: str, mode: str) -> dict:
    headers = {"Authorization": f"Bearer {os.environ['EXPLORATION_MCP_TOKEN']}"}
    steps = []

    async def on_progress(*step):
        steps.append(step)

    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            tools = (await client.list_tools()).tools
            workspaces = (await client.call_tool("list_workspaces", {})).structured_content["workspaces"]
            found = await client.call_tool("find_explorations", {"query": "money back"}, progress_callback=on_progress)
            explorations = found.structured_content["explorations"]
            for exploration in explorations:
                assert not (await client.call_tool("get_exploration", {"exploration_id": exploration["id"]})).is_error
            resources = (await client.list_resources()).resources
            for resource in resources:
                assert (await client.read_resource(str(resource.uri))).contents
            refused = await client.call_tool("get_exploration", {"exploration_id": "nothing"})
            return {
                "version": client.protocol_version,
                "tools": len(tools),
                "workspaces": len(workspaces),
                "explorations": len(explorations),
                "resources": len(resources),
                "progress": len(steps),
                "refused": refused.is_error,
            }


async def main() -> None:
    url = sys.argv[1]
    print(json.dumps([await converse(url, mode) for mode in ("auto", "legacy")]))


asyncio.run(main())
