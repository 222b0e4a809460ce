#!/usr/bin/env python3
"""labelled.py DATA WORK SCRIPT [SET [LANGUAGE]]: runs SCRIPT.sql on one labelled set after the other, as episodes with queries.
Or on one of them.

Rows of a table: the name of the set, and what the script prints. fuzzy.sql: what it brings to look for what misspelt words may mean.
lengths.sql: what it brings that k1 and b follow the length of the texts. psql finds the database."""
import gzip
import json
import os
import random
import re
import subprocess
import sys

data, work, script = sys.argv[1:4]
asked = (sys.argv[4:] + [""])[:2] if sys.argv[4:] else None
HERE = os.path.dirname(__file__)


def read(name, kind, language):
    with gzip.open(f"{data}/{name}.{kind}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if language in ("", row.get("lang"))]


def written(*columns):
    return "\t".join("\\N" if column is None else re.sub(r"[\t\n\r\\]", " ", column) for column in columns) + "\n"


def mistyped(text, chance):
    """One letter of a word of four or more is taken out, put in, changed, or exchanged with the next."""
    words = [word for word in re.finditer(r"[^\W\d_]{4,}", text)]
    if not words:
        return text
    word = chance.choice(words)
    at = chance.randrange(word.start(), word.end() - 1)
    other = chance.choice(word.group())
    kinds = [text[at + 1:], other + text[at:], other + text[at + 1:], text[at + 1] + text[at] + text[at + 2:]]
    return text[:at] + chance.choice(kinds)


SETS = [("friendsqa", ""), ("knowme", ""), ("realmem", ""), ("cranfield", ""), ("cacm", ""),
                       *(("xquad", one) for one in ("en", "de", "es", "ru", "el", "tr", "ro", "vi"))]
for name, language in [tuple(asked)] if asked else SETS:
    chance = random.Random(4711)
    documents = [row for row in read(name, "docs", language) if row["text"]]
    known = {row["id"] for row in documents}
    with open(f"{work}/documents", "w", encoding="utf-8") as out:
        for row in documents:
            out.write(written(row["id"], row.get("user", "set"), row.get("session") or None, row.get("ts") or None, row["text"]))
    with open(f"{work}/queries", "w", encoding="utf-8") as out:
        for row in read(name, "queries", language):
            evidence = [json.dumps(one) for one in row["evidence"] if one in known]
            if evidence:
                out.write(written(row.get("user", "set"), row.get("until"), row.get("self"), row["text"], mistyped(row["text"], chance),
                                  "{" + ",".join(evidence) + "}"))
    found = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-v", f"documents={work}/documents", "-v", f"queries={work}/queries",
                            "-f", f"{HERE}/{script}.sql"], check=True, stdout=subprocess.PIPE, text=True).stdout
    print("| " + " | ".join([f"{name} {language}".strip(), *found.strip().split("\n")]) + " |", flush=True)
