"""The client for asyncio. Its methods are those of Tollway; see there."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Self, cast

import httpx

from .answers import Answer
from .chat import broken_stream, read_event
from .drivers import TIMEOUT, AsyncDriver
from .jobs import AsyncJob
from .operations import CallOptions, JobHandle, OnProgress, Operations, next_page, rows_of
from .sessions import AsyncSession
from .transport import RetryPolicy

if TYPE_CHECKING:
    from .catalog.actions import (
        ActionName,
        FilesGetOutput,
        ReadPagesAsync,
        RunActionAsync,
        SessionActionName,
        StartJobAsync,
        TollwayDiscoverOutputHitsItem,
    )
    from .catalog.routes import CallRouteAsync, ListRowsAsync


class AsyncTollway:
    """`Tollway` for asyncio. Cancelling the task of `run` asks the gateway to cancel the job that it waits for."""

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        http: httpx.AsyncClient | None = None,
        retry: RetryPolicy = RetryPolicy(),
        own_namespace: str = "tollway",
    ) -> None:
        self._owns_http = http is None
        self._driver = AsyncDriver(http or httpx.AsyncClient(timeout=TIMEOUT), base_url, key)
        self._operations = Operations(retry, own_namespace)

    async def call(
        self,
        action: str,
        input: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> Answer[Any]:
        return await self._driver.drive(
            self._operations.run(action, input, max_cost_cents, idempotency_key, on_progress)
        )

    run = cast("RunActionAsync", call)

    async def _start(
        self,
        action: str,
        input: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncJob[Any]:
        steps = self._operations.pay(action, input, max_cost_cents, idempotency_key)
        return AsyncJob(self._driver, self._operations, await self._driver.drive(steps))

    start = cast("StartJobAsync", _start)

    def job(self, job_id: str, status_url: str | None = None) -> AsyncJob[Any]:
        handle: JobHandle = {"job_id": job_id}
        if status_url is not None:
            handle["status_url"] = status_url
        return AsyncJob(self._driver, self._operations, handle)

    async def _pages(
        self, action: str, input: Mapping[str, Any], *, max_cost_cents: int | None = None
    ) -> AsyncIterator[Answer[Any]]:
        page: dict[str, Any] | None = {}
        while page is not None:
            asked = {**input, **page}
            answer = await self._driver.drive(self._operations.pay(action, asked, max_cost_cents))
            yield answer
            page = next_page(asked, answer.data)

    pages = cast("ReadPagesAsync", _pages)

    async def open_session(
        self,
        action: "SessionActionName",
        input: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncSession:
        steps = self._operations.pay(action, input, max_cost_cents, idempotency_key)
        opened = await self._driver.drive(steps)
        return self.session(opened.data["session_id"])

    def session(self, session_id: str) -> AsyncSession:
        return AsyncSession(self._driver, self._operations, session_id)

    async def upload(
        self,
        content: bytes,
        filename: str,
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
        **described: Any,
    ) -> "FilesGetOutput":
        options: CallOptions = {"max_cost_cents": max_cost_cents, "idempotency_key": idempotency_key}
        steps = self._operations.upload(content, {"filename": filename, **described}, options)
        return cast("FilesGetOutput", await self._driver.drive(steps))

    async def download(self, file_id: str) -> bytes:
        return await self._driver.drive(self._operations.download(file_id))

    async def chat(
        self,
        request: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
    ) -> dict[str, Any]:
        steps = self._operations.chat(request, False, max_cost_cents, idempotency_key)
        return cast("dict[str, Any]", await self._driver.drive(steps))

    @asynccontextmanager
    async def chat_stream(
        self,
        request: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
        steps = self._operations.chat(request, True, max_cost_cents, idempotency_key)
        response = await self._driver.drive(steps)
        try:
            yield _chunks(response)
        finally:
            await response.aclose()

    async def quote(
        self, action: "ActionName | str", input: Mapping[str, Any], *, max_cost_cents: int | None = None
    ) -> dict[str, Any]:
        steps = self._operations.quote(action, input, max_cost_cents)
        return cast("dict[str, Any]", await self._driver.drive(steps))

    async def discover(self, query: str, limit: int | None = None) -> "list[TollwayDiscoverOutputHitsItem]":
        hits = await self._driver.drive(self._operations.discover(query, limit))
        return cast("list[TollwayDiscoverOutputHitsItem]", hits)

    async def _request(
        self,
        route: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        return await self._driver.drive(self._operations.request(route, path, query, body, idempotency_key))

    request = cast("CallRouteAsync", _request)

    async def _rows(
        self, route: str, *, path: Mapping[str, str] = {}, query: Mapping[str, Any] = {}
    ) -> AsyncIterator[Any]:
        page: dict[str, Any] | None = {}
        while page is not None:
            asked = {**query, **page}
            data = await self._driver.drive(self._operations.request(route, path, asked, None, None))
            for row in rows_of(data):
                yield row
            page = next_page(asked, data)

    rows = cast("ListRowsAsync", _rows)

    async def close(self) -> None:
        if self._owns_http:
            await self._driver.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def _chunks(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    try:
        async for line in response.aiter_lines():
            chunk = read_event(line, response)
            if chunk is False:
                return
            if chunk is not None:
                yield chunk
    except httpx.RequestError as cause:
        raise broken_stream() from cause
    raise broken_stream()
