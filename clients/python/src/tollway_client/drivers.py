"""Carry out the steps of operations by httpx, with and without asyncio."""

import asyncio
import time
from typing import TypeVar

import httpx

from .steps import Step, Steps, Wait, build

Result = TypeVar("Result")

_ANSWER_SECONDS_MAX = 300.0
_CONNECT_SECONDS_MAX = 30.0
TIMEOUT = httpx.Timeout(_ANSWER_SECONDS_MAX, connect=_CONNECT_SECONDS_MAX)
"""A request without an answer after this time has failed. It is repeated like one whose connection broke."""


class Driver:
    def __init__(self, http: httpx.Client, base_url: str, key: str | None) -> None:
        self.http = http
        self._base_url = read_base_url(base_url)
        self._key = key

    def drive(self, steps: Steps[Result]) -> Result:
        """What the steps return. An exception of a step is thrown into the steps, which may go on."""
        try:
            step = next(steps)
            while True:
                try:
                    done = self._carry_out(step)
                except BaseException as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(done)
        except StopIteration as end:
            result: Result = end.value
            return result

    def _carry_out(self, step: Step) -> httpx.Response | None:
        if isinstance(step, Wait):
            time.sleep(step.seconds)
            return None
        request = build(self.http, self._base_url, self._key, step)
        response = self.http.send(request, stream=step.streamed)
        if step.streamed and not response.is_success:
            response.read()
        return response


class AsyncDriver:
    def __init__(self, http: httpx.AsyncClient, base_url: str, key: str | None) -> None:
        self.http = http
        self._base_url = read_base_url(base_url)
        self._key = key

    async def drive(self, steps: Steps[Result]) -> Result:
        """What the steps return. An exception of a step is thrown into the steps, which may go on."""
        try:
            step = next(steps)
            while True:
                try:
                    done = await self._carry_out(step)
                except BaseException as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(done)
        except StopIteration as end:
            result: Result = end.value
            return result

    async def _carry_out(self, step: Step) -> httpx.Response | None:
        if isinstance(step, Wait):
            await asyncio.sleep(step.seconds)
            return None
        request = build(self.http, self._base_url, self._key, step)
        response = await self.http.send(request, stream=step.streamed)
        if step.streamed and not response.is_success:
            await response.aread()
        return response


def read_base_url(base_url: str) -> str:
    if httpx.URL(base_url).scheme not in ("http", "https"):
        raise ValueError("base_url must be an http or https address.")
    return base_url.rstrip("/")
