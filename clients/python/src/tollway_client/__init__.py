"""A typed client of Tollway gateways."""

from .answers import Answer
from .async_client import AsyncTollway
from .client import Tollway
from .errors import TollwayError
from .jobs import AsyncJob, Job
from .operations import Progress
from .sessions import AsyncSession, Session
from .transport import RetryPolicy

__all__ = [
    "Answer",
    "AsyncJob",
    "AsyncSession",
    "AsyncTollway",
    "Job",
    "Progress",
    "RetryPolicy",
    "Session",
    "Tollway",
    "TollwayError",
]
