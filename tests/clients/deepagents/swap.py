# The tests that deepagents has of its files in a store, with the package's store in the place of LangGraph's store in memory (public_suite.py).
# Every store is of a user of its own.
import uuid

import psycopg_pool
from memory_postgresql.langgraph import Store

OWN = []
VARIANTS = []
DIFFERENT = {}
pool = psycopg_pool.ConnectionPool('', min_size=1, max_size=8, open=True)


class InMemory(Store):
    def __init__(self):
        super().__init__(pool, user=str(uuid.uuid4()))


def imported(module):
    module.InMemoryStore = InMemory
