"""Sessions: machines that stay open between calls, and are closed when the caller's block ends."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from .drivers import AsyncDriver, Driver
from .operations import Operations
from .steps import Steps

if TYPE_CHECKING:
    from .catalog.routes import (
        DeleteSessionsIdAnswer,
        GetSessionsIdAnswer,
        PostSessionsIdRunAnswer,
        PostSessionsIdRunBody,
    )

_AT = "/api/v1/sessions/{id}"


class Session:
    """`with tollway.open_session(…) as session:` closes it when the block ends."""

    def __init__(self, driver: Driver, operations: Operations, session_id: str) -> None:
        self._driver = driver
        self._operations = operations
        self.id = session_id

    def run(
        self, program: "PostSessionsIdRunBody", idempotency_key: str | None = None
    ) -> "PostSessionsIdRunAnswer":
        """Runs `command` or `code`. One that fails is a result like any other: look at `exit_code`. Raises `session_closed`."""
        return self._call(_run(self._operations, self.id, program, idempotency_key))

    def read(self) -> "GetSessionsIdAnswer":
        return self._call(_request(self._operations, self.id, "GET"))

    def close(self) -> "DeleteSessionsIdAnswer":
        """Ends the session, and charges what it used. Repeating it changes nothing."""
        return self._call(_request(self._operations, self.id, "DELETE"))

    def _call(self, steps: Steps[Any]) -> Any:
        return self._driver.drive(steps)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncSession:
    """`async with await tollway.open_session(…) as session:` closes it when the block ends."""

    def __init__(self, driver: AsyncDriver, operations: Operations, session_id: str) -> None:
        self._driver = driver
        self._operations = operations
        self.id = session_id

    async def run(
        self, program: "PostSessionsIdRunBody", idempotency_key: str | None = None
    ) -> "PostSessionsIdRunAnswer":
        """Runs `command` or `code`. One that fails is a result like any other: look at `exit_code`. Raises `session_closed`."""
        return await self._call(_run(self._operations, self.id, program, idempotency_key))

    async def read(self) -> "GetSessionsIdAnswer":
        return await self._call(_request(self._operations, self.id, "GET"))

    async def close(self) -> "DeleteSessionsIdAnswer":
        """Ends the session, and charges what it used. Repeating it changes nothing."""
        return await self._call(_request(self._operations, self.id, "DELETE"))

    async def _call(self, steps: Steps[Any]) -> Any:
        return await self._driver.drive(steps)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _request(operations: Operations, session_id: str, method: str) -> Steps[Any]:
    return operations.request(f"{method} {_AT}", {"id": session_id}, {}, None, None)


def _run(
    operations: Operations, session_id: str, program: Mapping[str, Any], idempotency_key: str | None
) -> Steps[Any]:
    return operations.request(f"POST {_AT}/run", {"id": session_id}, {}, program, idempotency_key)
