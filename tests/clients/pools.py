# What the pools of clients in Python do with the scope of a connection that is given back: docs/clients.md, "Poolers".
import asyncio

import asyncpg
import psycopg2.pool
import psycopg_pool

import shared

tap = shared.Tap()
ASKED = "SELECT user_id FROM memory.scope()"

pool = psycopg2.pool.SimpleConnectionPool(1, 1, "")
connection = pool.getconn()
connection.autocommit = True
with connection.cursor() as cursor:
    cursor.execute("SELECT memory.set_scope('ada')")
pool.putconn(connection)
with pool.getconn().cursor() as cursor:
    cursor.execute(ASKED)
    tap.same([str(cursor.fetchone()[0])], ["ada"], "psycopg2.pool keeps a scope of the session")

with psycopg_pool.ConnectionPool("", min_size=1, max_size=1) as pool:
    with pool.connection() as connection:
        connection.execute("SELECT memory.set_scope('ada')")
    with pool.connection() as connection:
        tap.same([str(connection.execute(ASKED).fetchone()[0])], ["ada"], "psycopg_pool keeps it, too")


async def main():
    async with asyncpg.create_pool(min_size=1, max_size=1) as pool:
        async with pool.acquire() as connection:
            await connection.execute("SELECT memory.set_scope('ada')")
            tap.same([await connection.fetchval(ASKED)], ["ada"], "a scope of the session")
        tap.same([str(await pool.fetchval(ASKED))], ["None"], "asyncpg's pool resets it")


asyncio.run(main())
tap.end()
