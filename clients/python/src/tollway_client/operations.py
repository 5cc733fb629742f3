"""Calls, jobs, files and routes, as steps."""

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, NotRequired, TypedDict
from urllib.parse import quote, urlencode

import httpx

from .answers import Answer, read_answer
from .catalog.keyed_routes import KEYED_ROUTES
from .errors import TollwayError
from .steps import Request, Steps
from .transport import RetryPolicy, send


class Progress(TypedDict):
    phase: str
    percent: float
    done: int
    total: int


OnProgress = Callable[[Progress], object]

_POLL_SECONDS = 20
_WATCHED_POLL_SECONDS = 2
"""Shorter where progress is watched, because a poll ends only with the job or its time."""

_PAGE_FIELDS = ("cursor", "page_token", "offset", "page")
"""A page is asked for by one of these fields. The answer has the next value in `next_cursor`, `next_page` and so on."""


class JobHandle(TypedDict):
    job_id: str
    status_url: NotRequired[str]


class CallOptions(TypedDict, total=False):
    max_cost_cents: int | None
    idempotency_key: str | None


@dataclass(frozen=True)
class Operations:
    retry: RetryPolicy
    own_namespace: str

    def post(
        self,
        action: str,
        input: Mapping[str, Any],
        *,
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
        query: str = "",
        repeatable: bool = False,
    ) -> Steps[Answer[Any]]:
        ceiling: dict[str, Any] = {} if max_cost_cents is None else {"max_cost_cents": max_cost_cents}
        request = Request(
            "POST",
            f"/api/run/{action}{query}",
            json={**input, **ceiling},
            idempotency_key=idempotency_key,
            repeatable=repeatable,
        )
        return (yield from send(request, read_answer, self.retry))

    def pay(
        self,
        action: str,
        input: Mapping[str, Any],
        max_cost_cents: int | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[Answer[Any]]:
        key = idempotency_key or str(uuid.uuid4())
        return (yield from self.post(action, input, max_cost_cents=max_cost_cents, idempotency_key=key))

    def run(
        self,
        action: str,
        input: Mapping[str, Any],
        max_cost_cents: int | None,
        idempotency_key: str | None,
        on_progress: OnProgress | None,
    ) -> Steps[Answer[Any]]:
        answer = yield from self.pay(action, input, max_cost_cents, idempotency_key)
        if not is_job_handle(answer.data):
            return answer
        try:
            return (yield from self.result(answer.data, on_progress))
        except (Exception, GeneratorExit):
            raise
        except BaseException:
            # The caller interrupted or cancelled the call. Only this call knows its job, so the job ends too, if it can.
            try:
                yield from self.cancel(answer.data["job_id"])
            except Exception:
                pass
            raise

    def quote(self, action: str, input: Mapping[str, Any], max_cost_cents: int | None) -> Steps[Any]:
        answer = yield from self.post(
            action, input, max_cost_cents=max_cost_cents, query="?quote=true", repeatable=True
        )
        return answer.data

    def discover(self, query: str, limit: int | None) -> Steps[Any]:
        input: dict[str, Any] = {"query": query, **({} if limit is None else {"limit": limit})}
        answer = yield from self.post(f"{self.own_namespace}/discover", input, repeatable=True)
        return answer.data["hits"]

    def result(self, job: JobHandle, on_progress: OnProgress | None) -> Steps[Answer[Any]]:
        seconds = _POLL_SECONDS if on_progress is None else _WATCHED_POLL_SECONDS
        while True:
            answer = yield from self._poll(job, seconds)
            found = answer.data
            if found["status"] == "running":
                if on_progress is not None and "progress" in found:
                    on_progress(found["progress"])
                continue
            if found["status"] == "failed":
                code = found.get("error", "upstream_error")
                raise TollwayError(
                    code,
                    found.get("message", code),
                    transaction_id=job["job_id"],
                    data=found.get("result"),
                )
            return replace(
                answer,
                data=found["result"],
                charged_cents=found["charged_cents"],
                charged_usd=Decimal(found["charged_usd"]),
                transaction_id=job["job_id"],
            )

    def _poll(self, job: JobHandle, seconds: int) -> Steps[Answer[Any]]:
        if "status_url" in job:
            request = Request("GET", f"{job['status_url']}&wait_seconds={seconds}")
            return (yield from send(request, read_answer, self.retry))
        input = {"job_id": job["job_id"], "wait_seconds": seconds}
        return (yield from self.post(f"{self.own_namespace}/result", input, repeatable=True))

    def cancel(self, job_id: str) -> Steps[Any]:
        answer = yield from self.post(f"{self.own_namespace}/cancel", {"job_id": job_id}, repeatable=True)
        return answer.data["status"]

    def upload(self, content: bytes, described: Mapping[str, Any], options: CallOptions) -> Steps[Any]:
        input = {**described, "size_bytes": len(content)}
        reserved = (yield from self.pay("files/upload", input, **options)).data
        try:
            yield from send(Request("PUT", reserved["put_url"], content=content), lambda _: None, self.retry)
        except TollwayError as error:
            # The bytes arrived by a request whose answer was lost.
            if error.code != "file_already_uploaded":
                raise
        return (yield from self._file(reserved["file_id"]))

    def download(self, file_id: str) -> Steps[bytes]:
        file = yield from self._file(file_id)
        return (yield from send(Request("GET", file["get_url"]), lambda response: response.content, self.retry))

    def _file(self, file_id: str) -> Steps[Any]:
        return (yield from self.post("files/get", {"file_id": file_id}, repeatable=True)).data

    def request(
        self,
        route: str,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: Mapping[str, Any] | None,
        idempotency_key: str | None,
    ) -> Steps[Any]:
        method, template = route.split(" ")
        given = {name: _write(value) for name, value in query.items() if value is not None}
        at = re.sub(r"\{(\w+)\}", lambda found: quote(path[found[1]], safe=""), template)
        request = Request(
            method,
            f"{at}?{urlencode(given)}" if given else at,
            json=body,
            idempotency_key=(idempotency_key or str(uuid.uuid4())) if route in KEYED_ROUTES else None,
        )
        return (yield from send(request, _read_body, self.retry))

    def chat(
        self,
        request: Mapping[str, Any],
        streamed: bool,
        max_cost_cents: int | None,
        idempotency_key: str | None,
    ) -> Steps[Any]:
        ceiling: dict[str, Any] = {} if max_cost_cents is None else {"max_cost_cents": max_cost_cents}
        sent = Request(
            "POST",
            "/api/llm/v1/chat/completions",
            json={**request, "stream": streamed, **ceiling},
            idempotency_key=idempotency_key or str(uuid.uuid4()),
            streamed=streamed,
        )
        read = _keep if streamed else _read_body
        return (yield from send(sent, read, self.retry))


def is_job_handle(data: Any) -> bool:
    """Whether an answer is the handle of a job: some actions answer small inputs at once."""
    return isinstance(data, dict) and "job_id" in data and "async" in data


def next_page(asked: Mapping[str, Any], data: Any) -> dict[str, Any] | None:
    """What to send for the next page. A page that names itself would be read, and paid, for ever."""
    for field in _PAGE_FIELDS:
        value = data.get(f"next_{field}")
        if value is not None:
            return None if asked.get(field) == value else {field: value}
    return None


def rows_of(data: Mapping[str, Any]) -> list[Any]:
    """The rows of a list are its only array."""
    return next((value for value in data.values() if isinstance(value, list)), [])


def _write(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _keep(response: httpx.Response) -> Any:
    return response


def _read_body(response: httpx.Response) -> Any:
    is_json = "json" in response.headers.get("content-type", "")
    return response.json() if is_json else response.content
