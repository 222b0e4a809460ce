# What becomes of a scope and of prepared statements behind a PgBouncer in transaction mode, whose clients share one
# connection to the server: what docs/guide.md says under "Behind a pooler".
import os

import psycopg

import shared

tap = shared.Tap()


def client(**settings):
    return psycopg.connect("", autocommit=True, **{"prepare_threshold": None, **settings})


def users(connection):
    return [str(row[0]) for row in connection.execute("SELECT user_id FROM memory.scope()")]


def contents(rows):
    return [row[0] for row in rows]


with client() as ada, client() as bob:
    same_server = {connection.execute("SELECT pg_backend_pid()").fetchone()[0] for connection in (ada, bob)}
    tap.test(len(same_server) == 1, "two clients share a connection to the server")
    for user in "ada", "bob":
        ada.execute("SELECT memory.remember(%s, user_id => %s)", (f"{user}'s night train", user))

    # The trap.
    ada.execute("SELECT memory.set_scope('ada')")
    tap.same(users(bob), ["ada"], "a scope of the session is the next client's")
    tap.same(contents(bob.execute("SELECT content FROM memory.recall('night train')")), ["ada's night train"],
             "... with the memories of its user")
    bob.execute("SELECT memory.set_scope()")
    tap.same(users(ada), ["None"], "... which in turn takes it away")

    # 1. The user in every call.
    for connection, user in (ada, "ada"), (bob, "bob"):
        found = connection.execute("SELECT content FROM memory.recall('night train', user_id => %s)", (user,))
        tap.same(contents(found), [f"{user}'s night train"], f"by argument {user} finds what is {user}'s")

    # 2. A transaction block.
    with ada.transaction():
        ada.execute("SELECT memory.set_scope(user_id => 'ada', session_id => 'monday', is_local => true)")
        ada.execute("SELECT memory.remember('I would rather take the train.')")
        found = ada.execute("SELECT content FROM memory.recall('rather') WHERE content LIKE 'I would%'")
        tap.same(contents(found), ["I would rather take the train."], "a transaction block has its scope to its end")
    tap.same(users(bob) + users(ada), ["None", "None"], "... and nothing is left behind it")
    with bob.transaction():
        tap.same(users(bob), ["None"], "... for the next transaction either")

    # 3. One statement.
    one_statement = """SELECT m.content FROM memory.set_scope(user_id => %s, is_local => true) s,
                       LATERAL memory.recall('night train', user_id => s.user_id) m"""
    for connection, user in (ada, "ada"), (bob, "bob"), (ada, "bob"):
        found = contents(connection.execute(one_statement, (user,)))
        tap.same(found[:1], [f"{user}'s night train"], f"one statement carries the scope of {user}")
    tap.same(users(ada) + users(bob), ["None", "None"], "... and nothing is left behind it")

    # Where there is no transaction block, is_local says so.
    said = []
    ada.add_notice_handler(lambda notice: said.append(f"{notice.severity} {notice.sqlstate}"))
    ada.execute("SELECT memory.set_scope(user_id => 'ada', is_local => true)")
    tap.same(said, ["WARNING 25P01"], "is_local in a select list outside of a block warns")
    tap.same(users(bob), ["None"], "... and sets nothing for others")
    said.clear()
    ada.execute(one_statement, ("ada",))
    with ada.transaction():
        ada.execute("SELECT memory.set_scope(user_id => 'ada', is_local => true)")
    tap.same(said, [], "... in FROM and in a block it does not")

    # protect() takes the user from the setting: a statement that carries its scope has it.
    ada.execute("DROP ROLE IF EXISTS regress_memory_pooled")
    ada.execute("CREATE ROLE regress_memory_pooled")
    ada.execute("SELECT memory.grant_access('regress_memory_pooled', 'writer')")
    ada.execute("SELECT memory.protect()")
    as_app = "SET LOCAL ROLE regress_memory_pooled"
    with ada.transaction():
        ada.execute(as_app)
        ada.execute("SELECT memory.set_scope(user_id => 'ada', is_local => true)")
        found = contents(ada.execute("SELECT content FROM memory.episodes WHERE content LIKE '%night train'"))
        tap.same(found, ["ada's night train"], "under protect() a block sees its user's rows")
        found = contents(ada.execute("SELECT content FROM memory.recall('night train', user_id => 'bob')"))
        tap.same(found, [], "... and no other's")
    with bob.transaction():
        bob.execute(as_app)
        tap.same(contents(bob.execute("SELECT content FROM memory.episodes")), [], "without a scope there is nothing")
        found = contents(bob.execute(one_statement, ("bob",)))
        tap.same(found, ["bob's night train"], "one statement carries its scope through protect()")
    ada.execute("SELECT memory.unprotect()")
    ada.execute("SELECT memory.revoke_access('regress_memory_pooled')")
    ada.execute("DROP ROLE regress_memory_pooled")

# Prepared statements are the server connection's: a second client prepares one of the same name on it.
version = tuple(int(part) for part in os.environ["BOUNCER_VERSION"].split(".")[:2])
with client(prepare_threshold=0) as ada, client(prepare_threshold=0) as bob:
    outcome = []
    for connection in (ada, bob):
        try:
            rows = connection.execute("SELECT content FROM memory.recall(%s, user_id => %s)", ("night train", "bob"))
            outcome.append(contents(rows)[0])
        except psycopg.Error as error:
            outcome.append(error.sqlstate)
    expected = ["bob's night train", "bob's night train" if version >= (1, 21) else "42P05"]
    tap.same(outcome, expected, f"prepared by name: {expected[1]} for the second client of PgBouncer {version}")
with client() as ada, client() as bob:
    for connection in (ada, bob):
        rows = connection.execute("SELECT content FROM memory.recall(%s, user_id => %s)", ("night train", "bob"))
        tap.same(contents(rows), ["bob's night train"], "without names nothing is in the way")
tap.end()
