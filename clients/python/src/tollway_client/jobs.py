"""Jobs: calls whose answer takes longer than a request."""

from typing import Any, Generic, Literal, TypeVar

from .answers import Answer
from .drivers import AsyncDriver, Driver
from .operations import JobHandle, OnProgress, Operations, is_job_handle

Data = TypeVar("Data", covariant=True)
Cancelled = Literal["cancelled", "stopping", "ended"]


class Job(Generic[Data]):
    def __init__(self, driver: Driver, operations: Operations, started: Answer[Any] | JobHandle) -> None:
        self._driver = driver
        self._operations = operations
        self._handle, self._answer = _read(started)
        self.id = self._handle["job_id"]
        self.status_url = self._handle.get("status_url")
        """A signed address at which the job of a wallet is polled without a wallet. Keep it: it leads back to the job."""

    def result(self, on_progress: OnProgress | None = None) -> Answer[Data]:
        """Waits for the end, for as long as it takes. Raises the error of a job that failed, which cost nothing."""
        if self._answer is not None:
            return self._answer
        return self._driver.drive(self._operations.result(self._handle, on_progress))

    def cancel(self) -> Cancelled:
        """Ends the job early.

        `cancelled`: it had not begun, and costs nothing. `stopping`: it ends with what it has delivered, which `result`
        returns. `ended`: it had ended before. Raises `job_begun` for a job that cannot be stopped any more.
        """
        if self._answer is not None:
            return "ended"
        status: Cancelled = self._driver.drive(self._operations.cancel(self.id))
        return status


class AsyncJob(Generic[Data]):
    def __init__(self, driver: AsyncDriver, operations: Operations, started: Answer[Any] | JobHandle) -> None:
        self._driver = driver
        self._operations = operations
        self._handle, self._answer = _read(started)
        self.id = self._handle["job_id"]
        self.status_url = self._handle.get("status_url")
        """A signed address at which the job of a wallet is polled without a wallet. Keep it: it leads back to the job."""

    async def result(self, on_progress: OnProgress | None = None) -> Answer[Data]:
        """Waits for the end, for as long as it takes. Raises the error of a job that failed, which cost nothing."""
        if self._answer is not None:
            return self._answer
        return await self._driver.drive(self._operations.result(self._handle, on_progress))

    async def cancel(self) -> Cancelled:
        """Ends the job early: see `Job.cancel`."""
        if self._answer is not None:
            return "ended"
        status: Cancelled = await self._driver.drive(self._operations.cancel(self.id))
        return status


def _read(started: Answer[Any] | JobHandle) -> tuple[JobHandle, Answer[Any] | None]:
    """Some actions answer small inputs at once."""
    if not isinstance(started, Answer):
        return started, None
    if is_job_handle(started.data):
        handle: JobHandle = started.data
        return handle, None
    return {"job_id": started.transaction_id or ""}, started
