"""The events of a streamed chat."""

import json
from typing import Any

import httpx

from .errors import TollwayError, connection_failed, error_of

_DATA = "data:"


def read_event(line: str, response: httpx.Response) -> Any:
    """The chunk in a line. None for a line without one, False for the end. Throws the error that ends the stream."""
    if not line.startswith(_DATA):
        return None
    data = line.removeprefix(_DATA).strip()
    if data == "[DONE]":
        return False
    chunk = json.loads(data)
    if chunk.get("error"):
        raise error_of(chunk, response)
    return chunk


def broken_stream() -> TollwayError:
    return connection_failed("The stream broke off before its end. Ask again with the same idempotency key.")
