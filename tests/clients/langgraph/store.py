# A store of LangGraph over memory's items: a namespace is a path. Whose they are is an argument of every call, so that any
# pool will do. `connection()` of a pool of psycopg is a transaction: a batch is all or nothing, and runs in its order.
import asyncio
import collections
import itertools

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp, get_text_at_path
from langgraph.store.base.batch import AsyncBatchedBaseStore
from langgraph.store.base.embed import ensure_embeddings
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb


class Statements:
    supports_ttl = True

    # An index without `embed` is one of words. Without an index a query is not ranked by, as in LangGraph's own stores.
    def __init__(self, pool, user_id, *, index=None, ttl=None):
        super().__init__()
        self.pool, self.user_id, self.index_config, self.ttl_config = pool, user_id, index, ttl
        self.embeddings = ensure_embeddings(index['embed']) if index and index.get('embed') else None

    def call(self, function, **named):
        named['user_id'] = self.user_id
        arguments = ', '.join(f'{name} => %({name})s' + ('::vector' if name == 'embedding' else '') for name in named)
        return f'SELECT * FROM memory.{function}({arguments})', named

    # What an item is found by. NULL are all strings in it.
    def texts(self, op):
        if op.index is False:
            return []
        if not self.index_config:
            return None
        paths = op.index or self.index_config.get('fields') or ['$']
        return [text for path in paths for text in get_text_at_path(op.value, path)]

    # What there is to embed: texts of items, and queries.
    def words(self, ops):
        if not self.embeddings:
            return [], []
        texts = (text for op in ops if is_put(op) for text in self.texts(op))
        return list(dict.fromkeys(texts)), list(dict.fromkeys(op.query for op in ops if isinstance(op, SearchOp) and op.query))

    def item(self, op, vectors):
        texts = self.texts(op)
        return {'path': op.namespace, 'key': op.key, 'value': op.value, 'texts': texts, 'ttl': op.ttl and f'{op.ttl} minutes',
                'embeddings': [vectors[text] for text in texts if any(vectors[text])] if self.embeddings and texts else None}

    # Yields statements, is sent their rows, and puts what the operations answer into `results`.
    def statements(self, ops, results, vectors, asked):
        read = collections.defaultdict(set)
        for put, run in itertools.groupby(enumerate(ops), key=lambda one: is_put(one[1])):
            if put:
                yield self.call('put_items', items=Jsonb([self.item(op, vectors) for n, op in run]))
                continue
            for n, op in run:
                rows = yield self.statement(op, asked)
                results[n] = answer(op, rows)
                if self.ttl_config and getattr(op, 'refresh_ttl', False):
                    for row in rows:
                        read[tuple(row['path'])].add(row['key'])
        # In the order of paths, so that two batches wait for each other and never each for the other.
        for path, keys in sorted(read.items()):
            yield self.call('touch_items', prefix=list(path), keys=sorted(keys))
        yield None

    def statement(self, op, asked):
        match op:
            case GetOp():
                return self.call('item', path=list(op.namespace), key=op.key)
            case PutOp():
                return self.call('delete_items', prefix=list(op.namespace), keys=[op.key], exact=True)
            case SearchOp():
                query = (op.query or None) if self.index_config else None
                vector = asked.get(query, ())
                return self.call('items', prefix=list(op.namespace_prefix), query=query, embedding=str(vector) if any(vector) else None,
                                 filter=op.filter and Jsonb(op.filter), k=op.limit, skip=op.offset)
            case ListNamespacesOp():
                ends = {one.match_type: list(one.path) for one in op.match_conditions or ()}
                if len(ends) < len(op.match_conditions or ()):
                    raise NotImplementedError('one prefix and one suffix')
                return self.call('item_paths', prefix=ends.get('prefix'), suffix=ends.get('suffix'), depth=op.max_depth,
                                 k=op.limit, skip=op.offset)


class Store(Statements, BaseStore):
    def batch(self, ops):
        ops = list(ops)
        results, (texts, queries), rows = [None] * len(ops), self.words(ops), None
        asked = {query: self.embeddings.embed_query(query) for query in queries}
        vectors = dict(zip(texts, self.embeddings.embed_documents(texts))) if texts else {}
        with self.pool.connection() as db, db.cursor(row_factory=dict_row) as cursor:
            statements = self.statements(ops, results, vectors, asked)
            while statement := statements.send(rows):
                rows = cursor.execute(*statement).fetchall()
        return results

    async def abatch(self, ops):
        return await asyncio.to_thread(self.batch, ops)


# Operations of one tick are one batch.
class AsyncStore(Statements, AsyncBatchedBaseStore):
    async def abatch(self, ops):
        ops = list(ops)
        results, (texts, queries), rows = [None] * len(ops), self.words(ops), None
        asked = {query: await self.embeddings.aembed_query(query) for query in queries}
        vectors = dict(zip(texts, await self.embeddings.aembed_documents(texts))) if texts else {}
        async with self.pool.connection() as db, db.cursor(row_factory=dict_row) as cursor:
            statements = self.statements(ops, results, vectors, asked)
            while statement := statements.send(rows):
                rows = await (await cursor.execute(*statement)).fetchall()
        return results


def is_put(op):
    return isinstance(op, PutOp) and op.value is not None


def answer(op, rows):
    match op:
        case GetOp():
            return next((Item(**of(row)) for row in rows), None)
        case SearchOp():
            return [SearchItem(**of(row), score=row['relevance'] if op.query else None) for row in rows]
        case ListNamespacesOp():
            return [tuple(row['path']) for row in rows]


def of(row):
    return {'namespace': tuple(row['path']), **{name: row[name] for name in ('key', 'value', 'created_at', 'updated_at')}}
