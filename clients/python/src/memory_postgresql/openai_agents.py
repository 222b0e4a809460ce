"""A session of the OpenAI Agents SDK: its items are the messages of a session.

`Runner.run(agent, input, session=Session("monday", pool, user="ada"))`. What users and assistants say is recalled.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agents import SessionSettings, TResponseInputItem
from agents.memory.session_settings import coerce_session_settings

from ._calls import awaited
from ._database import AsyncDatabase, AsyncSource, Steps, Unclean, call


class Keeping:
    session_id: str
    session_settings: SessionSettings | None

    # Tools answer what jsonb cannot hold, such as NUL: it is left out. Items have no key: the ids of models other than OpenAI's are all one.
    def added(self, items: list[TResponseInputItem]) -> Steps[None]:
        if items:
            yield call("add_messages", session_id=self.session_id, messages=Unclean(json.dumps(items)))

    def got(self, limit: int | None = None) -> Steps[list[TResponseInputItem]]:
        settings = self.session_settings
        most = settings.limit if limit is None and settings else limit
        if most is not None and most <= 0:
            return []
        return [row["message"] for row in (yield call("messages", session_id=self.session_id, k=most))]

    def popped(self) -> Steps[TResponseInputItem | None]:
        rows: list[dict[str, Any]] = yield call("drop_messages", session_id=self.session_id, last=1)
        return rows[0]["message"] if rows else None

    # The session is gone, with its summary: nothing of it is recalled any more.
    def cleared(self) -> Steps[None]:
        yield call("delete_session", session_id=self.session_id)


class Session(Keeping):
    """Through an asynchronous connection or pool of psycopg."""

    def __init__(
        self, session_id: str, source: AsyncSource, *, user: str | None, namespace: str | None = None,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = coerce_session_settings(session_settings or SessionSettings())
        self.database = AsyncDatabase(source, user, namespace)

    add_items, get_items = awaited(Keeping.added), awaited(Keeping.got)
    pop_item, clear_session = awaited(Keeping.popped), awaited(Keeping.cleared)


if TYPE_CHECKING:
    from agents.memory import Session as Protocol

    def _is_a_session(session: Session) -> Protocol:
        return session
