from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar

import httpx

Data = TypeVar("Data", covariant=True)


@dataclass(frozen=True)
class Answer(Generic[Data]):
    """An answer with what it cost."""

    data: Data
    charged_cents: int
    """Rounded up."""
    charged_usd: Decimal
    """Exact."""
    balance_remaining_cents: int | None
    """None without an account."""
    balance_remaining_usd: Decimal | None
    transaction_id: str | None
    replayed: bool
    """Whether this is the stored answer of an earlier request with the same idempotency key. It was not charged again."""


def read_answer(response: httpx.Response) -> Answer[Any]:
    envelope = response.json()
    remaining = envelope.get("balance_remaining_usd")
    return Answer(
        data=envelope["data"],
        charged_cents=envelope["charged_cents"],
        charged_usd=Decimal(envelope["charged_usd"]),
        balance_remaining_cents=envelope.get("balance_remaining_cents"),
        balance_remaining_usd=None if remaining is None else Decimal(remaining),
        transaction_id=envelope.get("transaction_id"),
        replayed=response.headers.get("idempotency-replayed") == "true",
    )
