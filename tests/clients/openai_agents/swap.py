# The OpenAI Agents SDK's tests of its sessions with the package's in their place (public_suite.py). A user takes the place of a database.
import contextlib
import os
import uuid

os.environ |= {'OPENAI_AGENTS_DISABLE_TRACING': '1', 'OPENAI_API_KEY': 'none'}

import psycopg
from memory_postgresql.openai_agents import Session

# Files, connections and rows of SQLite and SQLAlchemy, and what a session does after close(): there is no close(), the pool is the caller's.
OWN = [
    'corrupt', 'close', 'rollback', 'rolls_back', 'write_lock', 'post_commit', 'same_timestamp', 'file_lock', 'await_mutation', 'non_ascii',
    'engine', 'sqlite_configuration', 'unknown_delete_rowcount', 'retries_returning', 'sqlite_fallback', 'mutation_cancellation',
    'orders_by_id_for_ties', 'table_init', 'init_lock', 'from_url_sessions', 'shared_session_cross_loop',
]
VARIANTS = []
DIFFERENT = {}


# The loop of a test is its own, and so are its connections.
class Connections:
    @contextlib.asynccontextmanager
    async def connection(self):
        async with await psycopg.AsyncConnection.connect() as db:
            yield db


class Swapped(Session):
    def __init__(self, session_id, db_path=':memory:', *, session_settings=None, **options):
        super().__init__(session_id, Connections(), user=str(uuid.uuid4() if str(db_path) == ':memory:' else db_path), session_settings=session_settings)


class SQLite(Swapped):
    def close(self):
        pass


class AsyncSQLite(Swapped):
    async def close(self):
        pass


class SQLAlchemy(Swapped):
    def __init__(self, session_id, *, engine=None, url=None, **options):
        super().__init__(session_id, str(url or engine.url).removeprefix('sqlite+aiosqlite:///'), **options)

    @classmethod
    def from_url(cls, session_id, *, url, **options):
        return cls(session_id, url=url, **options)


def imported(module):
    for name, replacement in ('SQLiteSession', SQLite), ('AsyncSQLiteSession', AsyncSQLite), ('SQLAlchemySession', SQLAlchemy):
        if hasattr(module, name):
            setattr(module, name, replacement)
