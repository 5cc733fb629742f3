"""Sends requests, and repeats those that can be repeated without a second charge."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import httpx

from .errors import TollwayError, can_succeed_later, connection_failed, read_error
from .steps import Request, Steps, Wait

Result = TypeVar("Result")

_FIRST_WAIT_SECONDS = 0.25
_WAIT_SECONDS_MAX = 8.0

_STILL_RUNNING = {"idempotency_in_progress", "payment_in_progress", "payment_pending"}
"""The first request is being worked on or paid. Repeating it is the way to wait for its answer, so it is not a failure."""

_NOT_NOW = {409, 429, 502, 503, 504}
"""What the gateway, or a proxy before it, answers to requests that it has not carried out."""

_WORK_FAILED = {"all_blocked", "document_unavailable"}
"""The work was done and failed. The caller decides whether to ask for it again."""


@dataclass(frozen=True)
class RetryPolicy:
    """When a request is repeated."""

    failures_max: int = 4
    """Failures after which the client gives up. 1 repeats nothing that failed."""
    give_up_after_seconds: float = 300.0
    """The client gives up rather than wait past this time, counted from the first sending."""


def send(request: Request, read: Callable[[httpx.Response], Result], retry: RetryPolicy) -> Steps[Result]:
    """An answer that breaks off, or that `read` finds broken, is a failed connection."""
    give_up_at = time.monotonic() + retry.give_up_after_seconds
    repeatable = request.method != "POST" or request.idempotency_key is not None or request.repeatable
    attempt = failures = 0
    while True:
        attempt += 1
        try:
            response: httpx.Response = yield request
            if response.is_success:
                return read(response)
            error = read_error(response)
        except (httpx.RequestError, ValueError) as cause:
            error = connection_failed(
                "The gateway could not be reached, or the connection broke before the answer was whole. "
                "Check base_url and the network, and repeat the call with the same idempotency key."
            )
            error.__cause__ = cause
        failures += error.code not in _STILL_RUNNING
        wait = _back_off(attempt) if error.retry_after_seconds is None else error.retry_after_seconds
        gives_up = failures >= retry.failures_max or time.monotonic() + wait > give_up_at
        if not repeatable or gives_up or not _can_be_repeated(error):
            raise error
        yield Wait(wait)


def _can_be_repeated(error: TollwayError) -> bool:
    if error.code == "connection_failed":
        return True
    if error.status not in _NOT_NOW or error.code in _WORK_FAILED:
        return False
    return error.code == "unreadable_answer" or can_succeed_later(error.code)


def _back_off(attempt: int) -> float:
    """Doubles, and varies so that clients that failed together do not come back together."""
    return min(_FIRST_WAIT_SECONDS * 2 ** (attempt - 1), _WAIT_SECONDS_MAX) * random.uniform(0.5, 1.0)
