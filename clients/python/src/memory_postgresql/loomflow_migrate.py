"""Copies what loomflow keeps in PostgreSQL to memory: `python -m memory_postgresql.loomflow_migrate SOURCE [TARGET] [--namespace NAME]`.

SOURCE and TARGET are connection strings, which may be of one database. Tables of loomflow are only read; those that are not there are left out.
It can be stopped and run again: what is there already is replaced by itself. Vectors of facts are not copied: they are found by their words.
"""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

import psycopg
from loomflow.core.types import Episode, Fact, Message
from loomflow.runtime.journal import Checkpoint, _load_value
from psycopg import sql
from psycopg.rows import dict_row

from ._database import Row
from .loomflow import JournalStore, Memory

# What loomflow writes for no user where a key needs one.
ANONYMOUS = ("", "__jeeves_anon_user__")


class Source:
    """loomflow's tables, in the order in which their rows came."""

    def __init__(self, name: str) -> None:
        self.db = psycopg.connect(name, row_factory=dict_row, options="-c default_transaction_read_only=on")

    # A cursor of the server: the whole is never in memory.
    def rows(self, table: str, columns: str, order: str, where: sql.Composable = sql.SQL("true")) -> Any:  # noqa: B008
        if not self.db.execute("SELECT to_regclass(%s) AS there", [f"public.{table}"]).fetchone()["there"]:  # type: ignore[index]
            return
        with self.db.cursor(name=f"of_{table}") as cursor:
            text = sql.SQL(f"SELECT {columns} FROM public.{table} WHERE {{}} ORDER BY {order}")
            cursor.execute(text.format(where))
            yield from cursor

    def transcript(self, episode: str) -> list[Message] | None:
        if not self.db.execute("SELECT to_regclass('public.episode_tool_transcripts') AS there").fetchone()["there"]:  # type: ignore[index]
            return None
        query = "SELECT message_json FROM public.episode_tool_transcripts WHERE episode_id = %s ORDER BY sequence"
        return [Message.model_validate_json(row["message_json"]) for row in self.db.execute(query, [episode])] or None


def numbers(vector: str | None) -> list[float] | None:
    return None if vector is None else [float(one) for one in vector.strip("[]").split(",")]


def episode_of(row: Row, transcript: list[Message] | None) -> Episode:
    return Episode(**{**row, "embedding": numbers(row["embedding"]), "tool_transcript": transcript})


async def migrate(source: Source, target: str, namespace: str | None = None, of: str = "default") -> dict[str, int]:
    """Everything of loomflow's namespace `of`; returns how many of each there were."""
    memory, journal = Memory(target, namespace=namespace), JournalStore(target, namespace=namespace, max_checkpoints_per_session=0)
    done = {"blocks": 0, "episodes": 0, "facts": 0, "steps": 0, "checkpoints": 0}
    here = sql.SQL("namespace = {}").format(of)
    for row in source.rows("memory_blocks", "user_id, name, content", "user_id, pinned_order, updated_at, name", here):
        await memory.update_block(row["name"], row["content"], user_id=None if row["user_id"] in ANONYMOUS else row["user_id"])
        done["blocks"] += 1
    columns = "id, session_id, user_id, occurred_at, input, output, embedding::text AS embedding"
    for row in source.rows("episodes", columns, "occurred_at, id", here):
        await memory.remember(episode_of(row, source.transcript(row["id"])))
        done["episodes"] += 1
    columns = "id, user_id, subject, predicate, object, confidence, valid_from, valid_until, recorded_at, sources"
    for row in source.rows("facts", columns, "recorded_at, id"):
        await memory.facts.append(Fact(**row))
        done["facts"] += 1
    for kind in "steps", "streams":
        value = "value" if kind == "steps" else "chunks"
        for row in source.rows(f"journal_{kind}", f"session_id, step_name, {value} AS value", "created_at"):
            known, loaded = _load_value(row["value"], "json")
            if known:
                await journal.put(kind, row["session_id"], row["step_name"], loaded)
                done["steps"] += 1
    for row in source.rows("checkpoints", "payload", "created_at, checkpoint_id"):
        await journal.put_checkpoint(Checkpoint.model_validate(row["payload"]))
        done["checkpoints"] += 1
    for store in memory, memory.facts, journal:
        await store.aclose()
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description="Copies what loomflow keeps in PostgreSQL to memory.")
    parser.add_argument("source")
    parser.add_argument("target", nargs="?")
    parser.add_argument("--namespace", help="of memory; without it that of the connection")
    parser.add_argument("--of", default="default", help="namespace of loomflow")
    given = parser.parse_args()
    target = given.source if given.target is None else given.target
    done = asyncio.run(migrate(Source(given.source), target, given.namespace, given.of))
    print(", ".join(f"{count} {what}" for what, count in done.items()))


if __name__ == "__main__":
    main()
