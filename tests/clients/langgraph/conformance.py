# LangGraph's own suite for checkpointers, in Python, as TAP. Each capability has a user of its own.
import asyncio
import uuid

import psycopg
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.report import ProgressCallbacks
from saver import Saver


@checkpointer_test(name='memory')
async def memory():
    async with await psycopg.AsyncConnection.connect(autocommit=True, options=f'-c memory.user_id={uuid.uuid4()}') as connection:
        yield Saver(connection)


def say(capability, test, passed, error):
    print(f'{"ok" if passed else "not ok"} - {capability}: {test}')
    for line in (error or '').splitlines():
        print(f'# {line}')


report = asyncio.run(validate(memory, progress=ProgressCallbacks(on_test_result=say)))
print(f'# {report.conformance_level()}, {len(report.results)} capabilities')
