"""What calls answer: rows as dataclasses, named as in docs/reference.md. Columns that a newer server adds are left out."""

from __future__ import annotations

import dataclasses
import datetime
import uuid
from dataclasses import dataclass
from typing import Any, TypeVar

from ._database import Row

T = TypeVar("T")


def read(kind: type[T], rows: list[Row]) -> list[T]:
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    return [kind(**{name: row[name] for name in names}) for row in rows]


@dataclass(frozen=True)
class Episode:
    """One thing that happened: a message, a turn (content and the response to it), a note."""

    id: uuid.UUID
    content: str
    response: str | None
    kind: str
    role: str | None
    session_id: str | None
    agent_id: str | None
    occurred_at: datetime.datetime
    metadata: dict[str, Any]
    importance: float


@dataclass(frozen=True)
class Recalled(Episode):
    """An episode that was found, and why: a score that it is not ranked by is None."""

    score: float
    relevance: float | None
    bm25_score: float | None
    vector_score: float | None
    match: str


@dataclass(frozen=True)
class Fact:
    """Subject, predicate, object, when it was true (valid) and when that was believed (known). An end that is open is None."""

    id: uuid.UUID
    subject: str
    predicate: str
    object: str
    confidence: float
    valid_from: datetime.datetime | None
    valid_until: datetime.datetime | None
    known_from: datetime.datetime
    known_until: datetime.datetime | None
    sources: list[uuid.UUID]
    metadata: dict[str, Any]


@dataclass(frozen=True)
class RecalledFact(Fact):
    score: float


@dataclass(frozen=True)
class Path:
    """A way through facts, from one entity to another."""

    path: str
    depth: int
    entity: str
    fact_ids: list[uuid.UUID]


@dataclass(frozen=True)
class Block:
    """A named text. Directories of files, and lists without contents, have None for what they do not have."""

    name: str
    content: str | None
    version: int | None
    place: int | None
    char_limit: int | None
    read_only: bool | None
    metadata: dict[str, Any] | None
    chars: int
    updated_at: datetime.datetime | None


@dataclass(frozen=True)
class BlockVersion:
    version: int
    content: str
    updated_at: datetime.datetime


@dataclass(frozen=True)
class Item:
    """A JSON value under a path and a key."""

    path: list[str]
    key: str
    value: Any
    version: int
    created_at: datetime.datetime
    updated_at: datetime.datetime
    expires_at: datetime.datetime | None


@dataclass(frozen=True)
class FoundItem(Item):
    score: float | None
    relevance: float | None


@dataclass(frozen=True)
class ItemPath:
    path: list[str]
    items: int
    updated_at: datetime.datetime


@dataclass(frozen=True)
class Message:
    """A message as it was given, its number in its session, and what of it is recalled."""

    session_id: str
    path: str
    seq: int
    id: uuid.UUID
    key: str | None
    role: str
    content: str | None
    message: Any
    run_id: str | None
    occurred_at: datetime.datetime


@dataclass(frozen=True)
class Numbered:
    """The number and the id that a message was given."""

    seq: int
    id: uuid.UUID


@dataclass(frozen=True)
class Session:
    session_id: str
    agent_id: str | None
    messages: int
    last_seq: int
    version: int
    created_at: datetime.datetime
    updated_at: datetime.datetime
    metadata: dict[str, Any]
    paths: list[str]


@dataclass(frozen=True)
class Summary:
    """The summary of a session up to a message, and how many came since."""

    session_id: str
    summary: str
    upto: int | None
    topics: list[str]
    newer: int
    updated_at: datetime.datetime
