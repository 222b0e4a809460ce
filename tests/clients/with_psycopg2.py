# psycopg 2: arguments are written into the statement by the client; Json marks JSON, UUIDs have to be registered. It
# prepares nothing by itself: what is to be prepared is prepared in SQL.
import psycopg2.extras

import shared

psycopg2.extras.register_uuid()


def bound(kind, value):
    return psycopg2.extras.Json(value) if kind == "json" and value is not None else value


connection = psycopg2.connect("")
connection.autocommit = True
tap = shared.Tap()
for number, case in enumerate(shared.read_cases()):
    with connection.cursor() as cursor:
        arguments = [bound(*argument) for argument in case.arguments]
        statement = shared.placeholders(case.sql)
        try:
            if case.times > 1 and not shared.POOLED:
                cursor.execute(f"PREPARE case_{number} AS {case.sql}")
                statement = f"EXECUTE case_{number} ({', '.join(['%s'] * len(arguments))})"
            for _ in range(case.times):
                cursor.execute(statement, arguments)
                outcome = cursor.fetchall()
        except psycopg2.Error as error:
            outcome = error.pgcode or repr(error)
    tap.case(case, outcome)
tap.end()
