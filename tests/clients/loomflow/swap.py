# loomflow's tests of its memories, fact stores and journals with the package's in their place (public_suite.py). A namespace takes the place
# of a database: of a file's name, or one of its own.
import contextlib
import uuid

import loomflow
import loomflow.memory
import loomflow.memory.facts
import loomflow.memory.inmemory
import loomflow.memory.sqlite
import loomflow.memory.sqlite_facts
import loomflow.memory.vector
import loomflow.runtime
import loomflow.runtime.journal
import psycopg
import pytest
from loomflow.memory import HashEmbedder
from memory_postgresql import loomflow as ours

OWN = ['chroma', 'sqlite_payload_column']
VARIANTS = []
CONSOLIDATE = 'as in loomflow\'s PostgresMemory: facts are extracted by AutoExtractMemory around a memory, or by the database\'s worker, not by the memory'
DIFFERENT = {
    'test_supersession_preserves_same_object_fact': 'the same fact asserted again is one fact: its sources are united, and its time is extended',
    'consolidate_runs_extractor': CONSOLIDATE,
    'test_vector_memory_consolidate': CONSOLIDATE,
    'test_auto_consolidate_extracts': CONSOLIDATE,
    'test_agent_consolidate': CONSOLIDATE,
    'test_isolation_warning_(fires|can)': 'the database warns of the anonymous user\'s memory among named ones (`memory.anonymous`, which can also refuse), not Python',
}
made = 0


# Tests that make none of what is swapped are not about it.
def touched():
    global made
    before, made = made, 0
    return before > 0


# The loop of a test is its own, and so are its connections.
class Connections:
    @contextlib.asynccontextmanager
    async def connection(self):
        async with await psycopg.AsyncConnection.connect() as db:
            yield db


def named(path):
    global made
    made += 1
    return str(uuid.uuid4() if path is None else path)


class Facts(ours.FactStore):
    def __init__(self, path=None, *, embedder=None):
        super().__init__(Connections(), namespace=named(path), embedder=embedder)


class Memory(ours.Memory):
    def __init__(self, path=None, *, embedder=None, fact_store=None, **options):
        super().__init__(Connections(), namespace=named(path), embedder=embedder, fact_store=fact_store)


class Vectors(Memory):
    def __init__(self, path=None, *, embedder=None, **options):
        super().__init__(path, embedder=embedder or HashEmbedder(), **options)


class Journal(ours.JournalStore):
    def __init__(self, path=None, **options):
        super().__init__(Connections(), namespace=named(path), **options)


REPLACED = {'InMemoryMemory': Memory, 'SqliteMemory': Vectors, 'VectorMemory': Vectors, 'InMemoryFactStore': Facts, 'SqliteFactStore': Facts,
            'InMemoryJournalStore': Journal, 'SqliteJournalStore': Journal}


def replace(module):
    for name, replacement in REPLACED.items():
        if hasattr(module, name):
            setattr(module, name, replacement)


@pytest.fixture
def anyio_backend():
    return 'asyncio'


imported = replace
for module in (loomflow, loomflow.memory, loomflow.memory.facts, loomflow.memory.inmemory, loomflow.memory.sqlite, loomflow.memory.sqlite_facts,
               loomflow.memory.vector, loomflow.runtime, loomflow.runtime.journal):
    replace(module)
