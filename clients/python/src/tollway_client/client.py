"""The client without asyncio."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self, cast

import httpx

from .answers import Answer
from .chat import broken_stream, read_event
from .drivers import TIMEOUT, Driver
from .jobs import Job
from .operations import CallOptions, JobHandle, OnProgress, Operations, next_page, rows_of
from .sessions import Session
from .transport import RetryPolicy

if TYPE_CHECKING:
    from .catalog.actions import (
        ActionName,
        FilesGetOutput,
        ReadPages,
        RunAction,
        SessionActionName,
        StartJob,
        TollwayDiscoverOutputHitsItem,
    )
    from .catalog.routes import CallRoute, ListRows


class Tollway:
    """A client of a gateway. Use it from one thread at a time, or one client for each thread.

    `base_url` is the address of the gateway: `http://127.0.0.1:4020`. `key` is an API key or an OAuth token; without one,
    calls are free ones. `http` replaces the client of httpx, with its timeouts, proxies and ways to pay; the caller closes it.
    Raises ValueError if `base_url` is not a web address.
    """

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        http: httpx.Client | None = None,
        retry: RetryPolicy = RetryPolicy(),
        own_namespace: str = "tollway",
    ) -> None:
        self._owns_http = http is None
        self._driver = Driver(http or httpx.Client(timeout=TIMEOUT), base_url, key)
        self._operations = Operations(retry, own_namespace)

    def call(
        self,
        action: str,
        input: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> Answer[Any]:
        """Runs an action. Jobs are waited for; an interrupted wait asks the gateway to cancel the job. Raises TollwayError.

        `run` does the same, and knows the types of the catalog. This is for the private actions of a gateway.
        `max_cost_cents` is your ceiling: a call that could cost more is refused before it runs.
        `idempotency_key` is a random one for each call, kept when the call is repeated. Pass your own, stored before the
        call, to repeat it after your program was restarted.
        """
        return self._driver.drive(
            self._operations.run(action, input, max_cost_cents, idempotency_key, on_progress)
        )

    run = cast("RunAction", call)

    def _start(
        self,
        action: str,
        input: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
    ) -> Job[Any]:
        """Starts a job without waiting for it."""
        steps = self._operations.pay(action, input, max_cost_cents, idempotency_key)
        return Job(self._driver, self._operations, self._driver.drive(steps))

    start = cast("StartJob", _start)

    def job(self, job_id: str, status_url: str | None = None) -> Job[Any]:
        """A job that was started before: by its id, and for the job of a wallet by its status address."""
        handle: JobHandle = {"job_id": job_id}
        if status_url is not None:
            handle["status_url"] = status_url
        return Job(self._driver, self._operations, handle)

    def _pages(
        self, action: str, input: Mapping[str, Any], *, max_cost_cents: int | None = None
    ) -> Iterator[Answer[Any]]:
        """The pages of a list, one call for each page. The ceiling is that of each call. Leave the loop to read no more."""
        page: dict[str, Any] | None = {}
        while page is not None:
            asked = {**input, **page}
            answer = self._driver.drive(self._operations.pay(action, asked, max_cost_cents))
            yield answer
            page = next_page(asked, answer.data)

    pages = cast("ReadPages", _pages)

    def open_session(
        self,
        action: "SessionActionName",
        input: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
    ) -> Session:
        """Opens a session by its create_session action. The ceiling is that of its whole time."""
        steps = self._operations.pay(action, input, max_cost_cents, idempotency_key)
        return self.session(self._driver.drive(steps).data["session_id"])

    def session(self, session_id: str) -> Session:
        """A session that was opened before."""
        return Session(self._driver, self._operations, session_id)

    def upload(
        self,
        content: bytes,
        filename: str,
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
        **described: Any,
    ) -> "FilesGetOutput":
        """Stores a file for 1¢. `described` are further parameters of `files/upload`. Raises `file_quota_exceeded`."""
        options: CallOptions = {"max_cost_cents": max_cost_cents, "idempotency_key": idempotency_key}
        steps = self._operations.upload(content, {"filename": filename, **described}, options)
        return cast("FilesGetOutput", self._driver.drive(steps))

    def download(self, file_id: str) -> bytes:
        """Raises `not_found`, `file_pending`."""
        return self._driver.drive(self._operations.download(file_id))

    def chat(
        self,
        request: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
    ) -> dict[str, Any]:
        """Asks a language model, in the common chat-completions format, and waits for the whole answer."""
        steps = self._operations.chat(request, False, max_cost_cents, idempotency_key)
        return cast("dict[str, Any]", self._driver.drive(steps))

    @contextmanager
    def chat_stream(
        self,
        request: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
    ) -> Iterator[Iterator[dict[str, Any]]]:
        """The parts of an answer as they arrive: `with tollway.chat_stream(…) as chunks:`. Leaving the block ends the stream.

        The request is repeated only until the stream begins. A stream that breaks off raises `connection_failed`, costs
        nothing if the gateway ended it, and is asked for again with the same `idempotency_key`.
        """
        steps = self._operations.chat(request, True, max_cost_cents, idempotency_key)
        response = self._driver.drive(steps)
        try:
            yield _chunks(response)
        finally:
            response.close()

    def quote(
        self, action: "ActionName | str", input: Mapping[str, Any], *, max_cost_cents: int | None = None
    ) -> dict[str, Any]:
        """The price of a call, and whether it would be allowed. Runs and charges nothing."""
        steps = self._operations.quote(action, input, max_cost_cents)
        return cast("dict[str, Any]", self._driver.drive(steps))

    def discover(self, query: str, limit: int | None = None) -> "list[TollwayDiscoverOutputHitsItem]":
        """The actions that answer a question, the best first. Free, without a key too."""
        hits = self._driver.drive(self._operations.discover(query, limit))
        return cast("list[TollwayDiscoverOutputHitsItem]", hits)

    def _request(
        self,
        route: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Calls a route that is not an action: `request("GET /api/v1/account")`. The operator's need the ADMIN_TOKEN as `key`."""
        return self._driver.drive(self._operations.request(route, path, query, body, idempotency_key))

    request = cast("CallRoute", _request)

    def _rows(
        self, route: str, *, path: Mapping[str, str] = {}, query: Mapping[str, Any] = {}
    ) -> Iterator[Any]:
        """The rows of a list, of all its pages: `rows("GET /api/v1/transactions", query={"status": "failed"})`."""
        page: dict[str, Any] | None = {}
        while page is not None:
            asked = {**query, **page}
            data = self._driver.drive(self._operations.request(route, path, asked, None, None))
            yield from rows_of(data)
            page = next_page(asked, data)

    rows = cast("ListRows", _rows)

    def close(self) -> None:
        if self._owns_http:
            self._driver.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _chunks(response: httpx.Response) -> Iterator[dict[str, Any]]:
    try:
        for line in response.iter_lines():
            chunk = read_event(line, response)
            if chunk is False:
                return
            if chunk is not None:
                yield chunk
    except httpx.RequestError as cause:
        raise broken_stream() from cause
    raise broken_stream()
