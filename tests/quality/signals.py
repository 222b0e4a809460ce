#!/usr/bin/env python3
"""signals.py DATA WORK [SET…]: what each signal of the ranking by words brings, on the labelled sets, or on these.

Rows of a table: recall@10 and, in brackets, how often the first row is right, of memory.recall_scored without vectors: without
signals, with no context and with it; with all signals and no context; and with context by default, with all signals, and with all but one each.
Sets whose names end in `dealt` have their rows dealt into sessions of the same sizes at random: conversations
that are none. psql finds the database."""
import json
import os
import random
import subprocess
import sys

from sets import read, written

# By title: the set, and whether all its rows are of one user.
SETS = {
    "friendsqa, one user": ("friendsqa", True), "friendsqa, a user a scene": ("friendsqa", False), "knowme": ("knowme", False),
    "realmem": ("realmem", False), "friendsqa, one user, dealt": ("friendsqa", True), "knowme, dealt": ("knowme", False),
    "realmem, dealt": ("realmem", False), "xquad en": ("xquad en", True), "cranfield": ("cranfield", True), "cacm": ("cacm", True)}
# No questions of conversations: in the table only when they are asked for.
MORE = {name: (name, True) for name in
        [f"xquad {language}" for language in "ar de el es hi ro ru th tr vi zh".split()] + ["cmrc2018_zh", "jsquad_ja", "iapp_th", "arcd_ar"]}

data, work = sys.argv[1:3]
HERE = os.path.dirname(__file__)


def deal(documents, user_of):
    """The sessions of each user's rows, at random."""
    shuffle = random.Random(7).shuffle
    users = {}
    for row in documents:
        users.setdefault(user_of(row), []).append(row)
    for rows in users.values():
        sessions = [row["session"] for row in rows]
        shuffle(sessions)
        for row, session in zip(rows, sessions):
            row["session"] = session


def write(title):
    name, pooled = (SETS | MORE)[title]

    def user_of(row):
        return "set" if pooled else row["user"]
    documents = [row for row in read(data, name, "docs") if row["text"]]
    if title.endswith(", dealt"):
        deal(documents, user_of)
    known = {row["id"] for row in documents}
    with open(f"{work}/documents", "w", encoding="utf-8") as out:
        for row in documents:
            out.write(written(row["id"], user_of(row), row.get("session") or None, row.get("role"), row.get("speaker"), row.get("ts") or None, row["text"]))
    with open(f"{work}/queries", "w", encoding="utf-8") as out:
        for row in read(data, name, "queries"):
            evidence = [json.dumps(one) for one in row["evidence"] if one in known]
            if evidence:
                out.write(written(user_of(row), row.get("until"), row.get("self"), row["text"], "{" + ",".join(evidence) + "}"))


for title in sys.argv[3:] or SETS:
    write(title)
    found = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-v", f"documents={work}/documents", "-v", f"queries={work}/queries",
                            "-f", f"{HERE}/signals.sql"], check=True, stdout=subprocess.PIPE, text=True).stdout
    print("| " + " | ".join([title, *found.strip().split("\n")]) + " |", flush=True)
