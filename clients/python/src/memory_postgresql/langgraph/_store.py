"""A store: a namespace is the path of items. A batch is a transaction, all or nothing, and runs in its order."""

from __future__ import annotations

import asyncio
import collections
import itertools
from collections.abc import Iterable
from typing import Any

from langchain_core.embeddings import Embeddings
from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
)
from langgraph.store.base.batch import AsyncBatchedBaseStore
from langgraph.store.base.embed import ensure_embeddings
from psycopg.types.json import Jsonb

from .._database import AsyncDatabase, AsyncSource, Database, Row, Source, Statement, Steps, Texts, call, json, vector

Vectors = dict[str, Any]


class Keeping:
    """What a store does, as steps. An index without `embed` is one of words; without an index a query does not rank, as in LangGraph's own."""

    supports_ttl = True
    index_config: IndexConfig | None
    ttl_config: TTLConfig | None

    # What an item is found by. None are all strings in it.
    def texts(self, op: PutOp) -> list[str] | None:
        if op.index is False:
            return []
        if not self.index_config:
            return None
        paths = op.index or self.index_config.get("fields") or ["$"]
        return [text for path in paths for text in get_text_at_path(op.value, path)]

    def steps(self, ops: list[Op]) -> Steps[list[Result]]:
        results: list[Result] = [None] * len(ops)
        words = list(dict.fromkeys(text for op in ops if isinstance(op, PutOp) and is_put(op) for text in self.texts(op) or ()))
        queries = list(dict.fromkeys(op.query for op in ops if isinstance(op, SearchOp) and op.query and self.index_config))
        vectors = dict(zip(words, (yield Texts(words)), strict=True))
        asked = dict(zip(queries, (yield Texts(queries, asked=True)), strict=True))
        read = collections.defaultdict(set)
        for put, run in itertools.groupby(enumerate(ops), key=lambda one: is_put(one[1])):
            if put:
                yield call("put_items", items=Jsonb([self.item(op, vectors) for n, op in run]))
                continue
            for n, op in run:
                rows = yield self.statement(op, asked)
                results[n] = answer(op, rows)
                if self.ttl_config and getattr(op, "refresh_ttl", False):
                    for row in rows:
                        read[tuple(row["path"])].add(row["key"])
        # In the order of paths, so that two batches wait for each other and never each for the other.
        for path, keys in sorted(read.items()):
            yield call("touch_items", prefix=list(path), keys=sorted(keys))
        return results

    def item(self, op: Any, vectors: Vectors) -> Row:
        texts = self.texts(op)
        embeddings = [list(map(float, vectors[text])) for text in texts or () if has_direction(vectors[text])]
        ttl = None if op.ttl is None else f"{op.ttl} minutes"
        return {"path": op.namespace, "key": op.key, "value": op.value, "texts": texts, "ttl": ttl, "embeddings": embeddings or None}

    def statement(self, op: Op, asked: Vectors) -> Statement:
        match op:
            case GetOp():
                return call("item", path=list(op.namespace), key=op.key)
            case PutOp():
                return call("delete_items", prefix=list(op.namespace), keys=[op.key], exact=True)
            case SearchOp():
                query = (op.query or None) if self.index_config else None
                given = asked.get(query) if query else None
                return call(
                    "items", prefix=list(op.namespace_prefix), query=query, embedding=vector(given) if given and has_direction(given) else None,
                    filter=json(op.filter or None), k=op.limit, skip=op.offset)
            case ListNamespacesOp():
                ends = {one.match_type: list(one.path) for one in op.match_conditions or ()}
                if len(ends) < len(op.match_conditions or ()):
                    raise NotImplementedError("one prefix and one suffix")
                return call("item_paths", prefix=ends.get("prefix"), suffix=ends.get("suffix"), depth=op.max_depth, k=op.limit, skip=op.offset)
        raise TypeError(f"unknown operation: {op!r}")


class Store(Keeping, BaseStore):
    """Through a connection or a pool of psycopg: `graph.compile(store=Store(pool, user="ada"))`."""

    def __init__(
        self, source: Source, *, user: str | None, namespace: str | None = None, index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        self.index_config, self.ttl_config = index, ttl
        if made := made_by(index):
            self.database = Database(source, user, namespace, made.embed_documents, lambda texts: [made.embed_query(text) for text in texts])
        else:
            self.database = Database(source, user, namespace)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return self.database.run(self.steps(list(ops)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))


class AsyncStore(Keeping, AsyncBatchedBaseStore):
    """The same through asynchronous connections. Operations of one tick are one batch."""

    def __init__(
        self, source: AsyncSource, *, user: str | None, namespace: str | None = None, index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        super().__init__()
        self.index_config, self.ttl_config = index, ttl
        if made := made_by(index):
            ask = made.aembed_query
            self.database = AsyncDatabase(source, user, namespace, made.aembed_documents, lambda texts: asyncio.gather(*map(ask, texts)))
        else:
            self.database = AsyncDatabase(source, user, namespace)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await self.database.run(self.steps(list(ops)))


def made_by(index: IndexConfig | None) -> Embeddings | None:
    return ensure_embeddings(index["embed"]) if index and index.get("embed") else None


def is_put(op: Op) -> bool:
    return isinstance(op, PutOp) and op.value is not None


# A vector of zeros has none, and is like nothing.
def has_direction(given: Any) -> bool:
    return given is not None and any(given)


def answer(op: Op, rows: list[Row]) -> Result:
    match op:
        case GetOp():
            return next((Item(**named(row)) for row in rows), None)
        case SearchOp():
            return [SearchItem(**named(row), score=row["relevance"] if op.query else None) for row in rows]
        case ListNamespacesOp():
            return [tuple(row["path"]) for row in rows]
    return None


def named(row: Row) -> Row:
    return {"namespace": tuple(row["path"]), **{name: row[name] for name in ("key", "value", "created_at", "updated_at")}}
