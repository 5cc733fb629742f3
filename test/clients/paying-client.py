"""Makes a call whose payment is signed by another program. Arguments: the addresses of the gateway and of the signer."""

import asyncio
import json
import sys

import httpx
from tollway_client import AsyncTollway

gateway, signer = sys.argv[1:]


class PayingTransport(httpx.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        if response.status_code != 402:
            return response
        await response.aread()
        await response.aclose()
        async with httpx.AsyncClient() as http:
            signed = await http.post(signer, json=list(response.headers.multi_items()))
        request.headers.update(signed.json())
        return await super().handle_async_request(request)


async def work() -> None:
    async with httpx.AsyncClient(transport=PayingTransport()) as http:
        tollway = AsyncTollway(gateway, http=http)
        answer = await tollway.call("test/echo", {"text": "once"})
        print(json.dumps([answer.data["echo"], answer.charged_cents, answer.replayed]))


asyncio.run(work())
