"""A method that is written once, for `Memory` and for `AsyncMemory`."""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from . import results
from ._database import AsyncDatabase, Database, Row, Statement, Steps, Texts, Vector, vector

if TYPE_CHECKING:
    from .memory import AsyncMemory, Memory

P = ParamSpec("P")
T = TypeVar("T")
One = TypeVar("One")


class Call(Generic[P, T]):
    """Steps as a method: of `Memory` it returns their result, of `AsyncMemory` a coroutine of it. Each is one statement."""

    def __init__(self, steps: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        functools.update_wrapper(self, steps)  # type: ignore[arg-type]
        self.steps = steps

    @overload
    def __get__(self, instance: None, owner: Any) -> Callable[Concatenate[Any, P], Steps[T]]: ...
    @overload
    def __get__(self, instance: Memory, owner: Any) -> Callable[P, T]: ...
    @overload
    def __get__(self, instance: AsyncMemory, owner: Any) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, instance: Memory | AsyncMemory | None, owner: Any = None) -> Any:
        if instance is None:
            return self.steps

        @functools.wraps(self.steps)
        def bound(*positional: P.args, **named: P.kwargs) -> Any:
            return instance.database.run(self.steps(instance, *positional, **named), atomic=False)

        return bound


class Running(Protocol):
    database: Database


class AsyncRunning(Protocol):
    database: AsyncDatabase


def sync(steps: Callable[Concatenate[Any, P], Steps[T]]) -> Callable[Concatenate[Running, P], T]:
    """Steps as a method of what has a database: each call is a transaction."""

    @functools.wraps(steps)
    def method(self: Running, /, *positional: P.args, **named: P.kwargs) -> T:
        return self.database.run(steps(self, *positional, **named))

    return method


def awaited(steps: Callable[Concatenate[Any, P], Steps[T]]) -> Callable[Concatenate[AsyncRunning, P], Coroutine[Any, Any, T]]:
    """The same, asynchronous."""

    @functools.wraps(steps)
    async def method(self: AsyncRunning, /, *positional: P.args, **named: P.kwargs) -> T:
        return await self.database.run(steps(self, *positional, **named))

    return method


class ByUser:
    """For frameworks that say the user with every call, over one database."""

    def __init__(self, database: AsyncDatabase) -> None:
        self.database = database

    async def run(self, user_id: str | None, steps: Steps[T]) -> T:
        """Steps as a transaction."""
        return await self.database.scoped(user_id, None).run(steps)

    async def rows(self, user_id: str | None, statement: Statement, text: str | None = None, asked: bool = False) -> list[Row]:
        """The rows of one statement (see `embedded`)."""
        return await self.database.scoped(user_id, None).run(embedded(statement, text, asked), atomic=False)

    async def aclose(self) -> None:
        await self.database.close()


def rows(kind: type[T], statement: Statement, query: str | None = None) -> Steps[list[T]]:
    """The statement's rows; with the vector of a query, where something embeds and the caller gave none."""
    return results.read(kind, (yield from embedded(statement, query, asked=True)))


def first(kind: type[T], statement: Statement) -> Steps[T | None]:
    return next(iter((yield from rows(kind, statement))), None)


def values(kind: type[T], statement: Statement, text: str | None = None, asked: bool = False) -> Steps[list[T]]:  # noqa: ARG001
    """What a function returns that has one column; of which kind, is for the reader and the type checker."""
    return [next(iter(row.values())) for row in (yield from embedded(statement, text, asked))]


def value(kind: type[T], statement: Statement, text: str | None = None, asked: bool = False) -> Steps[T]:
    return (yield from values(kind, statement, text, asked))[0]


def embedded(statement: Statement, text: str | None = None, asked: bool = False) -> Steps[list[Row]]:
    """The statement's rows; with the vector of a text, where something embeds and `embedding` is an argument that is None."""
    arguments = statement.arguments
    if "embedding" in arguments:
        given: Vector | None = arguments["embedding"]
        if given is None and text:
            (given,) = yield Texts([text], asked)
        arguments = {**arguments, "embedding": None if given is None else vector(given)}
    answer: list[Row] = yield dataclasses.replace(statement, arguments=arguments)
    return answer


def each(steps: Callable[[One], Steps[T]], ones: Iterable[One]) -> Steps[list[T]]:
    """The results of steps for every one, in their order."""
    done = []
    for one in ones:
        done.append((yield from steps(one)))
    return done


def in_utc(when: datetime.datetime | None) -> datetime.datetime | None:
    """A time; where it says no zone, it is one of UTC and not of this machine."""
    return when.replace(tzinfo=datetime.timezone.utc) if when and when.tzinfo is None else when


def columns(row: Row, *names: str) -> Iterator[tuple[Any, ...]]:
    """Arrays of a row that belong together, one element of each at a time."""
    return zip(*(row[name] or [] for name in names), strict=True)


def only(rows: list[Row]) -> Any:
    """The value of a function that returns one."""
    return next(iter(rows[0].values()))
