# LangGraph's tests of its stores with the package's in their place (public_suite.py). Every store is of a user of its
# own: the user takes the place of a database, and a view that of the table that some tests write to.
import contextlib
import sys
import types
import uuid

import psycopg_pool
import pytest
from memory_postgresql.langgraph import AsyncStore, Store
from psycopg.rows import dict_row

VIEW = '''CREATE OR REPLACE VIEW public.store AS SELECT array_to_string(path, '.') AS prefix, key, value, updated_at, expires_at
          FROM memory.items WHERE user_id = current_setting('memory.user_id')'''
pool = psycopg_pool.ConnectionPool('', min_size=1, max_size=12, open=True)
with pool.connection() as db:
    db.execute(VIEW)

OWN = [
    'test_get_text_at_path', 'test_async_batch_store$', 'test_async_batch_store_handles_cancellation',
    'test_escape_like_literal', 'test_escape_glob_literal', 'test_namespace_match_pattern', 'test_nonnull_migrations',
    'test_abatch_uses_single_pool_checkout', 'test_list_namespaces_prefix_uses_indexable_condition',
    'checkpoint-sqlite/tests/test_store.py::test_vector_store_initialization',
]
VARIANTS = [r'\[(.*-)?(pipe|pool|file)(-.*)?\]', 'halfvec']
DIFFERENT = {
    'test_omit_expired_disabled': 'what has expired is never shown: the database hides it before it sweeps it',
    r'test_scores\[.*poisson': 'a cosine of 0 or less is no answer: such an item is not found, instead of found with score 0',
    r'test_embed_with_path(_sync)?(\[|$)': 'a cosine of 0 or less is no answer: such an item is not found, instead of found with score 0',
    'test_sql_injection_vulnerability': 'a key of a filter is any text, with dots and quotes: it is looked up as it stands, and never refused',
    'test_sql_injection_filter_values': 'jsonb has no NUL: the value is refused, where SQLite finds nothing',
    'test_numeric_filter_safety': 'JSON has no infinity: it is refused',
    'test_filter_keys_with_hyphens_and_digits': 'a key of a filter is any text: a dot in it is a letter, and no way into what is below',
}


class Sync(Store):
    MIGRATIONS = ()

    @classmethod
    @contextlib.contextmanager
    def from_conn_string(cls, name, *, index=None, ttl=None, **connection):
        yield cls(pool, user=name, index=index, ttl=ttl)

    def setup(self): pass
    def start_ttl_sweeper(self): pass
    def stop_ttl_sweeper(self): pass

    @contextlib.contextmanager
    def _cursor(self):
        with self.database.pool.connection() as db, db.cursor(row_factory=dict_row) as cursor:
            cursor.execute("SELECT set_config('memory.user_id', %s, true)", [self.database.user])
            yield cursor


class Async(AsyncStore):
    MIGRATIONS = ()

    @classmethod
    @contextlib.asynccontextmanager
    async def from_conn_string(cls, name, *, index=None, ttl=None, **connection):
        async with psycopg_pool.AsyncConnectionPool('', min_size=1, max_size=4) as pool:
            yield cls(pool, user=name, index=index, ttl=ttl)

    async def setup(self): pass
    async def start_ttl_sweeper(self): pass
    async def stop_ttl_sweeper(self): pass

    @contextlib.asynccontextmanager
    async def _cursor(self):
        async with self.database.pool.connection() as db, db.cursor(row_factory=dict_row) as cursor:
            await cursor.execute("SELECT set_config('memory.user_id', %s, true)", [self.database.user])
            yield cursor


class InMemory(Store):
    def __init__(self, **options):
        super().__init__(pool, user=str(uuid.uuid4()), **options)


# Its databases have no names that differ, and the fields of its index are called otherwise.
def of_sqlite(kind):
    class Sqlite(kind):
        @classmethod
        def from_conn_string(cls, name, *, index=None, **options):
            return super().from_conn_string(str(uuid.uuid4()), index=index and {**index, 'fields': index.get('text_fields')}, **options)
    return Sqlite


# What the tests import besides is there, and of no use.
class Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)


def module(name, **names):
    sys.modules[name] = Module(name)
    vars(sys.modules[name]).update(names)


module('langgraph.store.memory', InMemoryStore=InMemory)
module('langgraph.store.postgres', PostgresStore=Sync, AsyncPostgresStore=Async)
module('langgraph.store.postgres.base')
module('langgraph.checkpoint.postgres')
module('langgraph.store.sqlite', SqliteStore=of_sqlite(Sync), AsyncSqliteStore=of_sqlite(Async))
module('langgraph.store.sqlite.base')


# Databases that are neither made nor dropped.
class NoConnection(contextlib.nullcontext):
    connect = classmethod(lambda cls, *where, **how: cls(cls()))

    def execute(self, statement):
        pass


class NoAsyncConnection(NoConnection):
    async def execute(self, statement):
        pass

    @classmethod
    async def connect(cls, *where, **how):
        return cls(cls())


def imported(module):
    for name, replacement in ('Connection', NoConnection), ('AsyncConnection', NoAsyncConnection):
        if hasattr(module, name):
            setattr(module, name, replacement)


@pytest.fixture
def fake_embeddings():
    from tests.embed_test_utils import CharacterEmbeddings
    return CharacterEmbeddings(dims=500)
