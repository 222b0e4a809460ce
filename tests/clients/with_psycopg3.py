# psycopg 3: arguments are bound by the server; Jsonb marks JSON, everything else is a Python type. Behind a pooler
# prepared statements are off.
import psycopg
from psycopg.types.json import Jsonb

import shared


def bound(kind, value):
    return Jsonb(value) if kind == "json" and value is not None else value


with psycopg.connect("", autocommit=True, prepare_threshold=None if shared.POOLED else 5) as connection:
    tap = shared.Tap()
    for case in shared.read_cases():
        try:
            for _ in range(case.times):
                cursor = connection.execute(
                    shared.placeholders(case.sql), [bound(*argument) for argument in case.arguments],
                    prepare=True if case.times > 1 and not shared.POOLED else None)
                outcome = cursor.fetchall()
        except psycopg.Error as error:
            outcome = error.sqlstate or repr(error)
        tap.case(case, outcome)
    tap.end()
