"""A session store of the Claude Agent SDK: a transcript is a session and a path, an entry is a message, and the project is the agent.

`ClaudeAgentOptions(session_store=SessionStore(pool, user="ada"))`. A batch that is sent again changes nothing: an entry's key is its uuid.
"""

from __future__ import annotations

import json
from typing import Any

import claude_agent_sdk
from claude_agent_sdk import SessionKey, SessionListSubkeysKey, SessionStoreEntry, SessionStoreListEntry, SessionSummaryEntry, fold_session_summary

from ._calls import awaited
from ._database import AsyncDatabase, AsyncSource, Row, Steps, Unclean, call


class Keeping:
    # Tools print what jsonb cannot hold, such as NUL: it is left out. add_messages locks the session until the
    # transaction ends, so that what the SDK lists of it is folded in the order of its entries.
    def appended(self, key: SessionKey, entries: list[SessionStoreEntry]) -> Steps[None]:
        if not entries:
            return
        session, path = session_of(key), key.get("subpath") or ""
        yield call("add_messages", session_id=session, messages=unclean(entries), key_field="uuid", path=path, agent_id=key["project_key"])
        if not path:
            row: Row = (yield call("session", session_id=session))[0]
            summary = fold_session_summary(row["metadata"].get("summary"), key, entries)
            yield call("set_session", session_id=session, metadata=unclean({"summary": summary}))

    def loaded(self, key: SessionKey) -> Steps[list[SessionStoreEntry] | None]:
        rows = yield call("messages", session_id=session_of(key), k=None, path=key.get("subpath") or "")
        return [row["message"] for row in rows] or None

    def summaries(self, project_key: str) -> Steps[list[SessionSummaryEntry]]:
        rows = yield call("sessions", agent_id=project_key, filter='{"summary": {}}', k=None)
        found = ((row["metadata"]["summary"], int(row["updated_at"].timestamp() * 1000)) for row in rows)
        return [{"session_id": summary["session_id"], "mtime": mtime, "data": summary["data"]} for summary, mtime in found]

    def listed(self, project_key: str) -> Steps[list[SessionStoreListEntry]]:
        return [{"session_id": one["session_id"], "mtime": one["mtime"]} for one in (yield from self.summaries(project_key))]

    def subkeys(self, key: SessionListSubkeysKey) -> Steps[list[str]]:
        rows = yield call("session", session_id=session_of(key))
        return [path for row in rows for path in row["paths"] if path]

    def deleted(self, key: SessionKey) -> Steps[None]:
        yield call("delete_session", session_id=session_of(key), path=key.get("subpath") or "")


def unclean(value: Any) -> Unclean:
    return Unclean(json.dumps(value))


def session_of(key: Any) -> str:
    return f"{key['project_key']}/{key['session_id']}"


class SessionStore(Keeping, claude_agent_sdk.SessionStore):
    """Through an asynchronous connection or pool of psycopg."""

    def __init__(self, source: AsyncSource, *, user: str | None, namespace: str | None = None) -> None:
        self.database = AsyncDatabase(source, user, namespace)

    append, load, delete = awaited(Keeping.appended), awaited(Keeping.loaded), awaited(Keeping.deleted)
    list_sessions, list_session_summaries, list_subkeys = awaited(Keeping.listed), awaited(Keeping.summaries), awaited(Keeping.subkeys)
