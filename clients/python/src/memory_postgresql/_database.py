"""How statements reach the server.

What is to be done is written once, as steps: a generator that yields statements (or texts to embed), is sent their rows (or vectors) and
returns the result. `Database` runs steps on psycopg's connections, `AsyncDatabase` on its asynchronous ones. The user is an argument of every
call and nothing is ever set on a connection, so any pool and any pooler will do.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import inspect
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb
from typing_extensions import Self

T = TypeVar("T")
Connection = TypeVar("Connection")
Row = dict[str, Any]
Vector = Sequence[float]
Embed = Callable[[list[str]], Sequence[Vector]]
AsyncEmbed = Callable[[list[str]], Sequence[Vector] | Awaitable[Sequence[Vector]]]

CASTS = {"embedding": "::vector", "embeddings": "::vector[]"}


@dataclass(frozen=True)
class Texts:
    """Texts that a step wants vectors of, to keep or to ask with. It is sent a list of them, or of None where nothing embeds."""

    texts: list[str]
    asked: bool = False


@dataclass(frozen=True)
class Unclean:
    """JSON that may hold what jsonb cannot, such as NUL: it passes through clean_json."""

    text: str


@dataclass(frozen=True)
class Statement:
    """One call of a function of schema memory, by the names of its arguments. NULL is the same as leaving one out (but for k and valid_at)."""

    function: str
    arguments: Row

    def sql(self, scoped: bool) -> str:
        """With a scope the statement carries it: it holds until the transaction ends, and no later."""
        named = [f"{name} => {placeholder(name, value)}" for name, value in self.arguments.items()]
        if not scoped:
            return f"SELECT * FROM memory.{self.function}({', '.join([*named, 'user_id => %(user_id)s'])})"
        return (
            "SELECT m.* FROM memory.set_scope(user_id => %(user_id)s, namespace => %(namespace)s, is_local => true) s, "
            f"LATERAL memory.{self.function}({', '.join([*named, 'user_id => s.user_id'])}) m"
        )


def placeholder(name: str, value: Any) -> str:
    return f"memory.clean_json(%({name})s)" if isinstance(value, Unclean) else f"%({name})s{CASTS.get(name, '')}"


@dataclass(frozen=True)
class Query(Statement):
    """For what no function does: its text stands in the place of a function's name, and has `%(user_id)s` and `%(namespace)s`, which may be NULL."""

    def sql(self, scoped: bool) -> str:  # noqa: ARG002
        return self.function


Steps = Generator[Statement | Texts, Any, T]


def call(function: str, /, **arguments: Any) -> Statement:
    return Statement(function, arguments)


def json(value: Any) -> Jsonb | None:
    return None if value is None else Jsonb(value)


def vector(values: Vector) -> str:
    """As pgvector reads it, whatever makes the numbers: a list, or an array of numpy."""
    return f"[{','.join(str(float(value)) for value in values)}]"


class Pool(Protocol):
    """What lends a connection: psycopg_pool's ConnectionPool does."""

    def connection(self) -> contextlib.AbstractContextManager[psycopg.Connection[Any]]: ...


class AsyncPool(Protocol):
    def connection(self) -> contextlib.AbstractAsyncContextManager[psycopg.AsyncConnection[Any]]: ...


class One:
    """A pool of one connection: the caller's, or one that is opened by its name."""

    def __init__(self, source: str | psycopg.Connection[Any]) -> None:
        self.name = source if isinstance(source, str) else None
        self.held = None if isinstance(source, str) else source
        self.lock = threading.RLock()

    @contextlib.contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        with self.lock:
            if self.held is None or (self.name is not None and self.held.closed):
                self.held = psycopg.connect(self.name or "", autocommit=True)
            yield self.held

    def close(self) -> None:
        if self.name is not None and self.held:
            self.held.close()


class AsyncOne:
    def __init__(self, source: str | psycopg.AsyncConnection[Any]) -> None:
        self.name = source if isinstance(source, str) else None
        self.held = None if isinstance(source, str) else source
        self.lock = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def connection(self) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        async with self.lock:
            if self.held is None or (self.name is not None and self.held.closed):
                self.held = await psycopg.AsyncConnection.connect(self.name or "", autocommit=True)
            yield self.held

    async def close(self) -> None:
        if self.name is not None and self.held:
            await self.held.close()


Source = str | psycopg.Connection[Any] | Pool
AsyncSource = str | psycopg.AsyncConnection[Any] | AsyncPool


class Base(Generic[Connection]):
    """Whose memories are meant. Without a namespace it is the one of the setting memory.namespace."""

    def __init__(self, user: str | None, namespace: str | None) -> None:
        self.user, self.namespace = user, namespace

    def scoped(self, user: str | None, namespace: str | None) -> Self:
        """The same connections, for another user. Without a namespace it is the same one."""
        other = copy.copy(self)
        other.user, other.namespace = user, self.namespace if namespace is None else namespace
        return other

    def rendered(self, statement: Statement) -> tuple[str, Row]:
        scope = {"user_id": self.user, "namespace": self.namespace}
        values = {name: value.text if isinstance(value, Unclean) else value for name, value in statement.arguments.items()}
        return statement.sql(self.namespace is not None), {**values, **scope}


# Statements are never prepared by name: behind a pooler the name may be another connection's.
class Database(Base[psycopg.Connection[Any]]):
    def __init__(self, source: Source, user: str | None = None, namespace: str | None = None, embed: Embed | None = None,
                 embed_queries: Embed | None = None) -> None:
        super().__init__(user, namespace)
        self.pool: Pool = One(source) if isinstance(source, (str, psycopg.Connection)) else source
        self.embed, self.embed_queries = embed, embed_queries or embed

    def run(self, steps: Steps[T], atomic: bool = True) -> T:
        """Runs steps on one connection, taken when the first statement comes: as a transaction, or within the caller's."""
        answer: Any = None
        resume: Callable[[Any], Statement | Texts] = steps.send
        with contextlib.ExitStack() as stack:
            cursor: psycopg.Cursor[Row] | None = None
            while True:
                try:
                    wanted = resume(answer)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                resume = steps.send
                if isinstance(wanted, Texts):
                    embed = self.embed_queries if wanted.asked else self.embed
                    answer = embed(wanted.texts) if embed and wanted.texts else [None] * len(wanted.texts)
                    continue
                if cursor is None:
                    cursor = stack.enter_context(self.cursor(atomic))
                try:
                    answer = cursor.execute(*self.rendered(wanted), prepare=False).fetchall()
                except psycopg.Error as error:
                    resume, answer = steps.throw, error

    @contextlib.contextmanager
    def cursor(self, atomic: bool) -> Iterator[psycopg.Cursor[Row]]:
        with (
            self.pool.connection() as connection,
            connection.transaction() if atomic else contextlib.nullcontext(),
            connection.cursor(row_factory=dict_row) as cursor,
        ):
            yield cursor

    def close(self) -> None:
        """Closes a connection that was opened by its name; others are their owner's."""
        if isinstance(self.pool, One):
            self.pool.close()


class AsyncDatabase(Base[psycopg.AsyncConnection[Any]]):
    def __init__(self, source: AsyncSource, user: str | None = None, namespace: str | None = None, embed: AsyncEmbed | None = None,
                 embed_queries: AsyncEmbed | None = None) -> None:
        super().__init__(user, namespace)
        self.pool: AsyncPool = AsyncOne(source) if isinstance(source, (str, psycopg.AsyncConnection)) else source
        self.embed, self.embed_queries = embed, embed_queries or embed

    async def run(self, steps: Steps[T], atomic: bool = True) -> T:
        answer: Any = None
        resume: Callable[[Any], Statement | Texts] = steps.send
        async with contextlib.AsyncExitStack() as stack:
            cursor: psycopg.AsyncCursor[Row] | None = None
            while True:
                try:
                    wanted = resume(answer)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                resume = steps.send
                if isinstance(wanted, Texts):
                    embed = self.embed_queries if wanted.asked else self.embed
                    answer = embed(wanted.texts) if embed and wanted.texts else [None] * len(wanted.texts)
                    answer = await answer if inspect.isawaitable(answer) else answer
                    continue
                if cursor is None:
                    cursor = await stack.enter_async_context(self.cursor(atomic))
                try:
                    answer = await (await cursor.execute(*self.rendered(wanted), prepare=False)).fetchall()
                except psycopg.Error as error:
                    resume, answer = steps.throw, error

    @contextlib.asynccontextmanager
    async def cursor(self, atomic: bool) -> AsyncIterator[psycopg.AsyncCursor[Row]]:
        async with (
            self.pool.connection() as connection,
            connection.transaction() if atomic else contextlib.nullcontext(),
            connection.cursor(row_factory=dict_row) as cursor,
        ):
            yield cursor

    async def close(self) -> None:
        if isinstance(self.pool, AsyncOne):
            await self.pool.close()
