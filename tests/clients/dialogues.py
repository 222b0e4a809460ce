# The dialogues of a file (dialogues_made.py) through psycopg 3, exchange by exchange as they were held, and back.
import itertools
import json
import sys

import psycopg
from psycopg.types.json import Jsonb

import shared

tap = shared.Tap()
with open(sys.argv[2], encoding="utf-8") as lines:
    dialogues = {one["session"]: one["messages"] for one in map(json.loads, lines)}
turns = sum(map(len, dialogues.values()))
written, wrong = {}, []
with psycopg.connect("", autocommit=True) as connection:
    connection.execute("SELECT memory.set_scope(user_id => %s)", [shared.USER])
    for session, messages in dialogues.items():
        written[session] = [row for n in range(0, len(messages), 2) for row in connection.execute(
            "SELECT seq, id FROM memory.add_messages(%s, %s, key_field => 'id')", [session, Jsonb(messages[n:n + 2])])]
    tap.same([session for session, rows in written.items() if [seq for seq, id in rows] != list(range(1, len(dialogues[session]) + 1))], [],
             f"numbers 1 to n of {turns} turns in {len(dialogues)} sessions, written")

    for session, messages in dialogues.items():
        rows = connection.execute("SELECT seq, id, key, role, content, message FROM memory.messages(%s, k => NULL)", [session]).fetchall()
        expected = [(*numbered, one["id"], one["role"], one["content"], one) for numbered, one in zip(written[session], messages)]
        if rows != expected:
            wrong.append(session)
    tap.same(wrong, [], "all come back equal, in order, with their keys, roles and texts")

    listed = connection.execute("SELECT session_id, messages, last_seq FROM memory.sessions(k => NULL)").fetchall()
    tap.same(sorted(map(str, listed)), sorted(str((session, len(those), len(those))) for session, those in dialogues.items()), "sessions lists all")
    paged = itertools.chain.from_iterable(
        connection.execute("SELECT session_id, messages, last_seq FROM memory.sessions(k => 100, skip => %s)", [skip]).fetchall()
        for skip in range(0, len(dialogues), 100))
    tap.same(list(map(str, paged)), list(map(str, listed)), "… and by pages in the same order")
    tap.same([str(connection.execute("SELECT count(*) FROM memory.messages(k => NULL)").fetchone()[0])], [str(turns)], "all turns of all sessions")
tap.end()
