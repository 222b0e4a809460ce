# Anthropic's tests of its memory tool with the package's in the place of the one over files (public_suite.py). A user takes the
# place of a directory.
import contextlib

import psycopg
import psycopg_pool
from memory_postgresql.anthropic_memory_tool import AsyncMemoryTool, MemoryTool

# A test writes a million lines.
pool = psycopg_pool.ConnectionPool('', min_size=1, max_size=4, open=True, kwargs={'options': '-c memory.max_content=16MB'})

OWN = ['test_mkdir_parents', 'symlink']
VARIANTS = []
DIFFERENT = {}


class Tool(MemoryTool):
    def __init__(self, base_path):
        super().__init__(pool, user=base_path)
        self.base_path = base_path


# The loop of a test is its own, and so are its connections.
class AsyncTool(AsyncMemoryTool):
    def __init__(self, base_path):
        super().__init__(self, user=base_path)
        self.base_path = base_path

    @contextlib.asynccontextmanager
    async def connection(self):
        async with await psycopg.AsyncConnection.connect(options='-c memory.max_content=16MB') as db:
            yield db


def files(base_path):
    with pool.connection() as db:
        return {name.removeprefix('/'): content for name, content in db.execute('SELECT name, content FROM memory.blocks(user_id => %s)', [base_path])}


def imported(module):
    module.BetaLocalFilesystemMemoryTool, module.BetaAsyncLocalFilesystemMemoryTool = Tool, AsyncTool
    module.get_directory_snapshot = files
