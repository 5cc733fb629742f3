"""What an operation asks of its client.

Each operation is written once, as a generator of steps. A client carries the steps out, with or without asyncio.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

Result = TypeVar("Result")


@dataclass(frozen=True)
class Request:
    """Carried out, it gives the response. Its body has been read, unless it succeeded and `streamed` is set."""

    method: str
    at: str
    """A path of the gateway, or a whole address, which then gets no credential."""
    json: object = None
    content: bytes | None = None
    idempotency_key: str | None = None
    repeatable: bool = False
    """For a POST that changes nothing. Requests with an idempotency key, and those of other methods, always are."""
    streamed: bool = False


@dataclass(frozen=True)
class Wait:
    seconds: float


Step = Request | Wait
Steps = Generator[Step, Any, Result]




def build(http: httpx.Client | httpx.AsyncClient, base_url: str, key: str | None, request: Request) -> httpx.Request:
    is_own = request.at.startswith("/")
    headers: dict[str, str] = {}
    if key is not None and is_own:
        headers["authorization"] = f"Bearer {key}"
    if request.idempotency_key is not None:
        headers["idempotency-key"] = request.idempotency_key
    address = base_url + request.at if is_own else request.at
    return http.build_request(request.method, address, headers=headers, json=request.json, content=request.content)
