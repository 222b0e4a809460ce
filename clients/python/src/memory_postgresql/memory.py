"""A user's memory. Methods are called as the functions of schema memory and take their arguments (docs/reference.md); None leaves one out."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Sequence
from typing import Any, Literal

from psycopg.types.json import Jsonb
from typing_extensions import Self

from . import results
from ._calls import Call, first, rows, value, values
from ._database import AsyncDatabase, AsyncEmbed, AsyncSource, Database, Embed, Row, Source, Steps, Texts, Vector, call, json, vector

Json = dict[str, Any]
Time = datetime.datetime
# Any time is None, as in SQL: `now` leaves the argument out.
ValidAt = Time | Literal["now"] | None


def at(valid_at: ValidAt, known_at: Time | None) -> Row:
    return {"known_at": known_at, **({} if valid_at == "now" else {"valid_at": valid_at})}


class Episodes:
    @Call
    def remember(
        self, content: str, response: str | None = None, *, session_id: str | None = None, agent_id: str | None = None, kind: str | None = None,
        role: str | None = None, metadata: Json | None = None, importance: float | None = None, occurred_at: Time | None = None,
        ttl: datetime.timedelta | None = None, embedding: Vector | None = None, transcript: Sequence[Any] | None = None,
        id: uuid.UUID | None = None, model: str | None = None,
    ) -> Steps[uuid.UUID]:
        """Keeps one thing that happened, and returns its id. An id that is there already is replaced: a retry changes nothing."""
        statement = call(
            "remember", content=content, response=response, session_id=session_id, agent_id=agent_id, kind=kind, role=role,
            metadata=json(metadata), importance=importance, occurred_at=occurred_at, ttl=ttl, embedding=embedding,
            transcript=json(listed(transcript)), id=id, model=model)
        return value(uuid.UUID, statement, "\n".join(filter(None, [content, response])))

    @Call
    def remember_many(self, episodes: Sequence[Json], *, session_id: str | None = None) -> Steps[list[uuid.UUID]]:
        """Episodes as objects with the names of remember's arguments: all or none, in their order."""
        texts = ["\n".join(filter(None, [one.get("content"), one.get("response")])) for one in episodes]
        vectors = yield Texts(texts)
        whole = [one if made is None else {"embedding": list(map(float, made)), **one} for one, made in zip(episodes, vectors, strict=True)]
        return (yield from values(uuid.UUID, call("remember_many", episodes=json(whole), session_id=session_id)))

    @Call
    def revise(self, id: uuid.UUID, content: str, response: str | None = None) -> Steps[bool]:
        return value(bool, call("revise", id=id, content=content, response=response))

    @Call
    def get(self, id: uuid.UUID) -> Steps[results.Episode | None]:
        return first(results.Episode, call("get", id=id))

    @Call
    def recall(
        self, query: str | None = None, k: int | None = 5, *, embedding: Vector | None = None, alpha: float | None = None,
        session_id: str | None = None, agent_id: str | None = None, kinds: Sequence[str] | None = None, filter: Json | None = None,
        since: Time | None = None, until: Time | None = None, min_relevance: float | None = None, half_life: datetime.timedelta | None = None,
        diversity: float | None = None, context_weight: float | None = None, fusion: str | None = None, fallback: str | None = None,
        skip: int | None = None, model: str | None = None, rrf_k: int | None = None, fuzzy: bool | None = None,
    ) -> Steps[list[results.Recalled]]:
        """The k episodes that answer a query best, by their words and their vectors (memory.recall_scored)."""
        statement = call(
            "recall_scored", query=query, k=k, embedding=embedding, alpha=alpha, session_id=session_id, agent_id=agent_id,
            kinds=listed(kinds), filter=json(filter), since=since, until=until, min_relevance=min_relevance, half_life=half_life,
            diversity=diversity, context_weight=context_weight, fusion=fusion, fallback=fallback, skip=skip, model=model,
            rrf_k=rrf_k, fuzzy=fuzzy)
        return rows(results.Recalled, statement, query)

    @Call
    def recall_recent(
        self, kind: str | None = None, k: int | None = 20, *, agent_id: str | None = None, session_id: str | None = None, filter: Json | None = None
    ) -> Steps[list[results.Episode]]:
        return rows(results.Episode, call("recall_recent", kind=kind, k=k, agent_id=agent_id, session_id=session_id, filter=json(filter)))

    @Call
    def context(
        self, query: str | None = None, max_tokens: int | None = 2000, *, session_id: str | None = None, embedding: Vector | None = None,
        half_life: datetime.timedelta | None = None,
    ) -> Steps[str]:
        """A section of a prompt: pinned blocks, then what is recalled, the summary, facts and recent messages, within max_tokens."""
        statement = call("context", query=query, max_tokens=max_tokens, session_id=session_id, embedding=embedding, half_life=half_life)
        return value(str, statement, query, asked=True)


class Facts:
    @Call
    def assert_fact(
        self, subject: str, predicate: str, object: str, *, valid_from: Time | Literal["-infinity"] | None = None, valid_until: Time | None = None,
        confidence: float | None = None, sources: Sequence[uuid.UUID] | None = None, metadata: Json | None = None, embedding: Vector | None = None,
        id: uuid.UUID | None = None,
    ) -> Steps[uuid.UUID]:
        """Says that something is true since valid_from (now). What it contradicts ends there, and stays readable with known_at."""
        statement = call(
            "assert_fact", subject=subject, predicate=predicate, object=object, valid_from=valid_from, valid_until=valid_until,
            confidence=confidence, sources=listed(sources), metadata=json(metadata), embedding=embedding, id=id)
        return value(uuid.UUID, statement, f"{subject} {predicate} {object}")

    @Call
    def retract_fact(
        self, subject: str, predicate: str, object: str | None = None, *, valid_from: Time | None = None, valid_until: Time | None = None
    ) -> Steps[int]:
        """Ends what is true from valid_from (now) on; returns how many facts that changed."""
        arguments = {"subject": subject, "predicate": predicate, "object": object, "valid_from": valid_from, "valid_until": valid_until}
        return value(int, call("retract_fact", **arguments))

    @Call
    def correct_fact(
        self, id: uuid.UUID, object: str | None = None, *, valid_from: Time | None = None, valid_until: Time | None = None
    ) -> Steps[uuid.UUID]:
        return value(uuid.UUID, call("correct_fact", id=id, object=object, valid_from=valid_from, valid_until=valid_until))

    @Call
    def reject_fact(self, subject: str, predicate: str, object: str, reason: str | None = None) -> Steps[None]:
        yield call("reject_fact", subject=subject, predicate=predicate, object=object, reason=reason)

    @Call
    def facts(
        self, subject: str | None = None, predicate: str | None = None, object: str | None = None, *, valid_at: ValidAt = "now",
        known_at: Time | None = None, k: int | None = 10,
    ) -> Steps[list[results.Fact]]:
        """What was true at valid_at (None: at any time), as it was believed at known_at."""
        return rows(results.Fact, call("facts", subject=subject, predicate=predicate, object=object, k=k, **at(valid_at, known_at)))

    @Call
    def fact_history(self, subject: str, predicate: str) -> Steps[list[results.Fact]]:
        """Every version, by both times."""
        return rows(results.Fact, call("fact_history", subject=subject, predicate=predicate))

    @Call
    def recall_facts(
        self, query: str, k: int | None = 5, *, embedding: Vector | None = None, valid_at: ValidAt = "now", known_at: Time | None = None
    ) -> Steps[list[results.RecalledFact]]:
        statement = call("recall_facts", query=query, embedding=embedding, k=k, **at(valid_at, known_at))
        return rows(results.RecalledFact, statement, query)

    @Call
    def traverse(
        self, seeds: Sequence[str], hops: int | None = 2, k: int | None = 50, *, valid_at: ValidAt = "now", known_at: Time | None = None
    ) -> Steps[list[results.Path]]:
        """Ways from entities along facts, the shorter first."""
        return rows(results.Path, call("traverse", seeds=listed(seeds), hops=hops, k=k, **at(valid_at, known_at)))


class Blocks:
    @Call
    def set_block(
        self, name: str, content: str, *, pinned: bool | None = None, char_limit: int | None = None, read_only: bool | None = None,
        metadata: Json | None = None, expected_version: int | None = None,
    ) -> Steps[int]:
        """Writes a block whole, and returns its version. expected_version 0: it must not be there."""
        statement = call(
            "set_block", name=name, content=content, pinned=pinned, char_limit=char_limit, read_only=read_only, metadata=json(metadata),
            expected_version=expected_version)
        return value(int, statement)

    @Call
    def append_block(self, name: str, content: str, separator: str | None = None) -> Steps[int]:
        return value(int, call("append_block", name=name, content=content, separator=separator))

    @Call
    def edit_block(
        self, name: str, new: str, *, old: str | None = None, line: int | None = None, expected_version: int | None = None
    ) -> Steps[int]:
        """Puts `new` in the one place where `old` stands, or behind a line."""
        return value(int, call("edit_block", name=name, new=new, old=old, line=line, expected_version=expected_version))

    @Call
    def block(self, name: str) -> Steps[results.Block | None]:
        return first(results.Block, call("block", name=name))

    @Call
    def blocks(
        self, prefix: str | None = None, *, depth: int | None = None, pinned: bool | None = None, with_content: bool | None = None
    ) -> Steps[list[results.Block]]:
        return rows(results.Block, call("blocks", prefix=prefix, depth=depth, pinned=pinned, with_content=with_content))

    @Call
    def block_history(self, name: str, k: int | None = 20) -> Steps[list[results.BlockVersion]]:
        return rows(results.BlockVersion, call("block_history", name=name, k=k))

    @Call
    def delete_block(self, name: str, recursive: bool = False) -> Steps[int]:
        return value(int, call("delete_block", name=name, recursive=recursive))

    @Call
    def rename_block(self, name: str, new_name: str) -> Steps[int]:
        return value(int, call("rename_block", name=name, new_name=new_name))


class Items:
    @Call
    def put_item(
        self, path: Sequence[str], key: str, value: Any, *, ttl: datetime.timedelta | None = None, texts: Sequence[str] | None = None,
        embeddings: Sequence[Vector] | None = None, expected_version: int | None = None,
    ) -> Steps[int]:
        """Writes a value under a path and a key; returns its version. It is found by `texts` (None: by all strings in it)."""
        vectors: Sequence[Vector | None] = embeddings or (yield Texts(list(texts or ())))
        made = [vector(one) for one in vectors if one is not None]
        statement = call(
            "put_item", path=list(path), key=key, value=Jsonb(value), ttl=ttl, texts=listed(texts), embeddings=made or None,
            expected_version=expected_version)
        return (yield from values(int, statement))[0]

    @Call
    def put_items(self, items: Sequence[Json]) -> Steps[list[int]]:
        """Items as objects with the names of put_item's arguments."""
        return values(int, call("put_items", items=Jsonb(list(items))))

    @Call
    def item(self, path: Sequence[str], key: str) -> Steps[results.Item | None]:
        return first(results.Item, call("item", path=list(path), key=key))

    @Call
    def items(
        self, prefix: Sequence[str] = (), query: str | None = None, *, embedding: Vector | None = None, filter: Json | None = None,
        keys: Sequence[str] | None = None, k: int | None = 10, skip: int | None = None, alpha: float | None = None,
        min_relevance: float | None = None,
    ) -> Steps[list[results.FoundItem]]:
        statement = call(
            "items", prefix=list(prefix), query=query, embedding=embedding, filter=json(filter), keys=listed(keys), k=k, skip=skip,
            alpha=alpha, min_relevance=min_relevance)
        return rows(results.FoundItem, statement, query)

    @Call
    def item_paths(
        self, prefix: Sequence[str] | None = None, suffix: Sequence[str] | None = None, *, depth: int | None = None, k: int | None = 100,
        skip: int | None = None,
    ) -> Steps[list[results.ItemPath]]:
        return rows(results.ItemPath, call("item_paths", prefix=listed(prefix), suffix=listed(suffix), depth=depth, k=k, skip=skip))

    @Call
    def delete_items(
        self, prefix: Sequence[str] | None = None, *, keys: Sequence[str] | None = None, filter: Json | None = None, before: Time | None = None,
        exact: bool = False,
    ) -> Steps[int]:
        arguments = {"prefix": listed(prefix), "keys": listed(keys), "filter": json(filter), "before": before, "exact": exact}
        return value(int, call("delete_items", **arguments))


class Sessions:
    @Call
    def add_messages(
        self, session_id: str, messages: Sequence[Any], *, agent_id: str | None = None, run_id: str | None = None, path: str | None = None,
        key_field: str | None = None, expected_seq: int | None = None, operation: str | None = None,
    ) -> Steps[list[results.Numbered]]:
        """Appends to the log of a session, in any of the shapes that memory.message_text knows."""
        statement = call(
            "add_messages", session_id=session_id, messages=Jsonb(list(messages)), agent_id=agent_id, run_id=run_id, path=path,
            key_field=key_field, expected_seq=expected_seq, operation=operation)
        return rows(results.Numbered, statement)

    @Call
    def messages(
        self, session_id: str | None = None, k: int | None = 20, *, after: int | None = None, before: int | None = None, since: Time | None = None,
        until: Time | None = None, runs: int | None = None, roles: Sequence[str] | None = None, keys: Sequence[str] | None = None,
        around: int | None = None, tool_messages: bool = True, path: str | None = None,
    ) -> Steps[list[results.Message]]:
        """The newest k, the oldest first."""
        statement = call(
            "messages", session_id=session_id, k=k, after=after, before=before, since=since, until=until, runs=runs, roles=listed(roles),
            keys=listed(keys), around=around, tool_messages=tool_messages, path=path)
        return rows(results.Message, statement)

    @Call
    def drop_messages(
        self, session_id: str, *, last: int | None = None, after: int | None = None, keys: Sequence[str] | None = None,
        ids: Sequence[uuid.UUID] | None = None, path: str | None = None,
    ) -> Steps[list[results.Message]]:
        statement = call("drop_messages", session_id=session_id, last=last, after=after, keys=listed(keys), ids=listed(ids), path=path)
        return rows(results.Message, statement)

    @Call
    def sessions(
        self, k: int | None = 20, *, agent_id: str | None = None, ids: Sequence[str] | None = None, filter: Json | None = None,
        since: Time | None = None, until: Time | None = None, skip: int | None = None, sort: str | None = None,
    ) -> Steps[list[results.Session]]:
        statement = call(
            "sessions", agent_id=agent_id, ids=listed(ids), filter=json(filter), since=since, until=until, k=k, skip=skip, sort=sort)
        return rows(results.Session, statement)

    @Call
    def session(self, session_id: str) -> Steps[results.Session | None]:
        return first(results.Session, call("session", session_id=session_id))

    @Call
    def set_session(
        self, session_id: str, metadata: Json, *, agent_id: str | None = None, mode: str | None = None, expected_version: int | None = None
    ) -> Steps[int]:
        arguments = {"metadata": Jsonb(metadata), "agent_id": agent_id, "mode": mode, "expected_version": expected_version}
        return value(int, call("set_session", session_id=session_id, **arguments))

    @Call
    def delete_session(self, session_id: str, path: str | None = None) -> Steps[bool]:
        return value(bool, call("delete_session", session_id=session_id, path=path))

    @Call
    def summary(self, session_id: str) -> Steps[results.Summary | None]:
        return first(results.Summary, call("summary", session_id=session_id))

    @Call
    def set_summary(self, session_id: str, summary: str, *, upto: int | None = None, topics: Sequence[str] | None = None) -> Steps[None]:
        yield call("set_summary", session_id=session_id, summary=summary, upto=upto, topics=listed(topics))

    @Call
    def profile(self, agent_id: str | None = None) -> Steps[Json | None]:
        return value(dict, call("profile", agent_id=agent_id))

    @Call
    def set_profile(self, traits: Json, mode: str | None = None, *, agent_id: str | None = None) -> Steps[None]:
        yield call("set_profile", traits=Jsonb(traits), mode=mode, agent_id=agent_id)


class Lifecycle:
    @Call
    def forget(
        self, id: uuid.UUID | None = None, *, session_id: str | None = None, before: Time | Literal["infinity"] | None = None,
        filter: Json | None = None, item_path: Sequence[str] | None = None,
    ) -> Steps[Json]:
        """Deletes what meets every condition (at least one), and what was made of that alone; returns the receipt."""
        statement = call("forget", session_id=session_id, before=before, id=id, filter=json(filter), item_path=listed(item_path))
        return value(dict, statement)

    @Call
    def forget_user(self) -> Steps[Json]:
        """Deletes everything of this user in this namespace; returns the receipt."""
        return value(dict, call("forget_user"))

    @Call
    def export_user(self) -> Steps[list[Json]]:
        """Everything of this user, in lines that import_user takes."""
        return values(dict, call("export_user"))

    @Call
    def import_user(self, lines: Sequence[Json]) -> Steps[Json]:
        return value(dict, call("import_user", lines=[Jsonb(line) for line in lines]))

    @Call
    def overview(self) -> Steps[Json]:
        return value(dict, call("overview"))


def listed(values: Sequence[Any] | None) -> list[Any] | None:
    return None if values is None else list(values)


class Memory(Episodes, Facts, Blocks, Items, Sessions, Lifecycle):
    """The memory of a user, through a connection, a pool, or a connection of its own to what `source` names.

    `embed` makes vectors of texts, for what is written and, without `embed_queries`, for what is asked. Threads share a pool. A connection
    keeps its transactions: where it is not in autocommit, the caller commits. The user None is the anonymous one; without a namespace it is
    the connection's.
    """

    def __init__(self, source: Source, *, user: str | None, namespace: str | None = None, embed: Embed | None = None,
                 embed_queries: Embed | None = None) -> None:
        self.database = Database(source, user, namespace, embed, embed_queries)

    def scoped(self, *, user: str | None, namespace: str | None = None) -> Self:
        """Another's memory, over the same connections."""
        other = self.__class__.__new__(self.__class__)
        other.database = self.database.scoped(user, namespace)
        return other

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class AsyncMemory(Episodes, Facts, Blocks, Items, Sessions, Lifecycle):
    """`Memory` through asynchronous connections. `embed` may be asynchronous, too."""

    def __init__(self, source: AsyncSource, *, user: str | None, namespace: str | None = None,
                 embed: AsyncEmbed | None = None, embed_queries: AsyncEmbed | None = None) -> None:
        self.database = AsyncDatabase(source, user, namespace, embed, embed_queries)

    def scoped(self, *, user: str | None, namespace: str | None = None) -> Self:
        other = self.__class__.__new__(self.__class__)
        other.database = self.database.scoped(user, namespace)
        return other

    async def close(self) -> None:
        await self.database.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()
