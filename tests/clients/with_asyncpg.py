# asyncpg: the server says which types the arguments have, and Python values are encoded as these; JSON and vectors
# travel as text. Behind a pooler its cache of prepared statements is off.
import asyncio
import json

import asyncpg

import shared


def bound(kind, value):
    return json.dumps(value) if kind == "json" and value is not None else value


async def main():
    connection = await asyncpg.connect(statement_cache_size=0 if shared.POOLED else 100)
    tap = shared.Tap()
    prepared = []
    for case in shared.read_cases():
        arguments = [bound(*argument) for argument in case.arguments]
        try:
            if case.times > 1 and not shared.POOLED:
                prepared.append(await connection.prepare(case.sql))
                outcome = [await prepared[-1].fetch(*arguments) for _ in range(case.times)][-1]
            else:
                outcome = [await connection.fetch(case.sql, *arguments) for _ in range(case.times)][-1]
        except asyncpg.PostgresError as error:
            outcome = error.sqlstate
        except Exception as error:
            outcome = repr(error)
        tap.case(case, outcome)
    await connection.close()
    tap.end()


asyncio.run(main())
