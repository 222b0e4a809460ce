"""SQLite FTS5: `fts5.py build DATABASE TEXTS` or `fts5.py query DATABASE QUERIES BUDGET tenant|shared`.

A tenant is a token of a column of its own, which bm25() gives no weight. A build prints seconds and
bytes; queries print milliseconds, one a line, until the budget of seconds is spent, after one unseen pass.
"""
import os
import sqlite3
import sys
import time


def build(path, texts):
    began = time.perf_counter()
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    # No copy of the texts: only the index is weighed.
    db.execute("CREATE VIRTUAL TABLE documents USING fts5(tenant, body, content='')")
    with open(texts, encoding="utf-8") as lines:
        rows = (line.rstrip("\n").split("\t") for line in lines)
        db.executemany("INSERT INTO documents (rowid, tenant, body) VALUES (?, 't' || ?, ?)", rows)
    db.execute("INSERT INTO documents (documents) VALUES ('optimize')")
    db.commit()
    print(time.perf_counter() - began, os.path.getsize(path))


def query(path, queries, budget, kind):
    db = sqlite3.connect(path)
    db.execute("PRAGMA cache_size = -1000000")
    top = ("SELECT rowid, bm25(documents, 0.0, 1.0) AS score FROM documents "
           "WHERE documents MATCH ? ORDER BY score LIMIT 10")
    run(db, top, queries, budget, kind)
    print("\n".join(str(took) for took in run(db, top, queries, budget, kind)))


def run(db, top, queries, budget, kind):
    times = []
    started = time.perf_counter()
    for line in open(queries, encoding="utf-8"):
        tenant, words = line.rstrip("\n").split("\t")
        match = "body:(" + " OR ".join('"%s"' % word for word in words.split()) + ")"
        if kind == "tenant":
            match = "tenant:t" + tenant + " AND " + match
        began = time.perf_counter()
        db.execute(top, (match,)).fetchall()
        ended = time.perf_counter()
        times.append(1000 * (ended - began))
        if ended - started > float(budget):
            break
    return times


{"build": build, "query": query}[sys.argv[1]](*sys.argv[2:])
