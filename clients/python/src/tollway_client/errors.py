import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from .catalog.error_codes import ERROR_CODES


class TollwayError(Exception):
    """A call that was refused or failed. It has cost nothing, except where `code` is `outcome_unknown` or `payment_pending`."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        transaction_id: str | None = None,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
        data: Any = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        """A stable code. Gateways newer than this client may send others."""
        self.message = message
        self.status = status
        """The HTTP status. None when no answer arrived, and for a job that failed."""
        self.transaction_id = transaction_id
        """The transaction of the call, if the gateway held money for it."""
        self.request_id = request_id
        """The X-Request-Id of the answer, which the gateway's log names."""
        self.retry_after_seconds = retry_after_seconds
        self.data = data
        """Details, in the form that the code has."""


def can_succeed_later(code: str) -> bool:
    """Whether the gateway says of this code that the same call can succeed later."""
    return ERROR_CODES.get(code, False)


def read_error(response: httpx.Response) -> TollwayError:
    """The error in an answer. Chats wrap theirs in an object, as clients of their format expect."""
    return error_of(_parse_object(response.text), response)


def error_of(body: dict[str, Any], response: httpx.Response) -> TollwayError:
    inner = body["error"] if isinstance(body.get("error"), dict) else body
    code = inner.get("error" if inner is body else "code")
    known = isinstance(code, str)
    return TollwayError(
        code if known else "unreadable_answer",
        inner.get("message") or code
        if known
        else f"{response.url} answered {response.status_code} without a code. "
        "Check that base_url is the address of a Tollway gateway.",
        status=response.status_code,
        transaction_id=body.get("transaction_id"),
        request_id=response.headers.get("x-request-id"),
        retry_after_seconds=_read_retry_after(response.headers.get("retry-after")),
        data=inner.get("data") if known else None,
    )


def connection_failed(message: str) -> TollwayError:
    return TollwayError("connection_failed", message)


def _parse_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _read_retry_after(value: str | None) -> float | None:
    """Seconds or a date, as HTTP allows."""
    if value is None:
        return None
    if value.isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max((at - datetime.now(timezone.utc)).total_seconds(), 0.0)
