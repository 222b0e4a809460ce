"""loomflow's Memory, FactStore and JournalStore: an episode is an episode with its transcript, a working block a pinned block, a fact a fact.

`Agent(…, memory=Memory(pool), runtime=JournaledRuntime(JournalStore(pool)))`. The user comes with every call, as loomflow passes it. Its ids are
kept in metadata; here they are uuids that are made of them, so that what is written again takes the place of what was.
"""

from __future__ import annotations

import base64
import datetime
import json
import uuid
from collections.abc import Iterable
from typing import Any

from loomflow.core.protocols import Embedder
from loomflow.core.types import Episode, EpisodeMatch, Fact, MemoryBlock, MemoryExport, MemoryProfile, Message
from loomflow.runtime.journal import Checkpoint, CheckpointMeta, JournalEntry, Serializer, _dump_value, _load_value
from psycopg.types.json import Jsonb

from ._calls import ByUser, each, in_utc, only
from ._database import AsyncDatabase, AsyncSource, Query, Row, Steps, Texts, Unclean, call, vector

Time = datetime.datetime
PATH = "loomflow"
USERS = """SELECT DISTINCT nullif(user_id, '') AS one FROM memory.facts
           WHERE namespace = coalesce(%(namespace)s, (SELECT namespace FROM memory.scope()))"""


class Store(ByUser):
    def __init__(self, source: AsyncSource, *, namespace: str | None = None, embedder: Embedder | None = None) -> None:
        super().__init__(AsyncDatabase(source, None, namespace, embedder.embed_batch if embedder else None))


class FactStore(Store):
    async def append(self, fact: Fact) -> str:
        return (await self.append_many([fact]))[0]

    async def append_many(self, facts: Iterable[Fact]) -> list[str]:
        """A user's facts are a transaction."""
        facts = list(facts)
        for user in dict.fromkeys(fact.user_id for fact in facts):
            await self.run(user, self.asserted([fact for fact in facts if fact.user_id == user]))
        return [fact.id for fact in facts]

    def asserted(self, facts: list[Fact]) -> Steps[None]:
        vectors = yield Texts([f"{fact.subject} {fact.predicate} {fact.object}" for fact in facts])
        for fact, made in zip(facts, vectors, strict=True):
            # What was made of episodes that are here goes with them; others are names.
            there = yield from each(source_of, fact.sources)
            kept = {"id": fact.id, "recorded_at": fact.recorded_at.isoformat(), "sources": list(fact.sources)}
            yield call(
                "assert_fact", subject=fact.subject, predicate=fact.predicate, object=fact.object, valid_from=fact.valid_from,
                valid_until=fact.valid_until, confidence=fact.confidence, sources=[source for source in there if source],
                metadata=Jsonb({"loomflow": kept}), embedding=made and vector(made))

    async def query(
        self, *, subject: str | None = None, predicate: str | None = None, object_: str | None = None, valid_at: Time | None = None,
        limit: int | None = 10, user_id: str | None = None,
    ) -> list[Fact]:
        statement = call("facts", subject=subject, predicate=predicate, object=object_, valid_at=in_utc(valid_at), k=limit)
        return [fact_of(row) for row in await self.rows(user_id, statement)]

    async def recall_text(self, query: str, *, limit: int = 5, valid_at: Time | None = None, user_id: str | None = None) -> list[Fact]:
        statement = call("recall_facts", query=query, embedding=None, k=limit, valid_at=in_utc(valid_at))
        return [fact_of(row) for row in await self.rows(user_id, statement, query)]

    async def all_facts(self) -> list[Fact]:
        """Of all users whose facts the connection may read."""
        users = await self.rows(None, Query(USERS, {}))  # No function lists users.
        return [fact for user in users for fact in await self.query(limit=None, user_id=user["one"])]

    async def count(self, *, user_id: str | None = None) -> int:
        return len(await self.query(limit=None, user_id=user_id))

    async def delete(self, *, user_id: str | None = None, before: Time | None = None) -> int:
        """Facts alone, with every version and vector of them; `forget` of a memory takes its facts by itself."""
        return await self.run(user_id, self.deleted(in_utc(before)))

    # The history has what another object has taken the place of, too.
    def deleted(self, before: Time | None) -> Steps[int]:
        there = yield call("facts", valid_at=None, k=None)
        for subject, predicate in sorted({(row["subject"], row["predicate"]) for row in there}):
            versions = yield call("fact_history", subject=subject, predicate=predicate)
            old = {row["object"]: row["id"] for row in versions if not before or fact_of(row).recorded_at < before}
            for version in old.values():
                yield call("forget", id=version)
        return len(there) - len((yield call("facts", valid_at=None, k=None)))


class Memory(Store):
    def __init__(
        self, source: AsyncSource, *, namespace: str | None = None, embedder: Embedder | None = None, fact_store: Any = None
    ) -> None:
        super().__init__(source, namespace=namespace, embedder=embedder)
        self.facts = fact_store or FactStore(source, namespace=namespace, embedder=embedder)

    async def working(self, *, user_id: str | None = None) -> list[MemoryBlock]:
        rows = await self.rows(user_id, call("blocks", pinned=True))
        return [MemoryBlock(name=row["name"], content=row["content"], updated_at=row["updated_at"], pinned_order=row["place"]) for row in rows]

    async def update_block(self, name: str, content: str, *, user_id: str | None = None) -> None:
        await self.rows(user_id, call("set_block", name=name, content=content))

    async def append_block(self, name: str, content: str, *, user_id: str | None = None) -> None:
        await self.rows(user_id, call("append_block", name=name, content=content))

    async def remember(self, episode: Episode) -> str:
        kept = {"id": episode.id, "tool_calls": [one.model_dump(mode="json") for one in episode.tool_calls]}
        transcript = None if episode.tool_transcript is None else [one.model_dump(mode="json") for one in episode.tool_transcript]
        statement = call(
            "remember", content=episode.input, response=episode.output or None, session_id=episode.session_id, id=id_of(episode.id),
            occurred_at=in_utc(episode.occurred_at), metadata=Jsonb({"loomflow": kept}), embedding=episode.embedding,
            transcript=None if transcript is None else Unclean(json.dumps(transcript)))
        await self.rows(episode.user_id, statement, "\n".join(filter(None, [episode.input, episode.output])))
        return episode.id

    async def recall(self, query: str, **which: Any) -> list[Episode]:
        return [match.episode for match in await self.recall_scored(query, **which)]

    async def recall_scored(
        self, query: str, *, kind: str = "episodic", limit: int = 5, time_range: tuple[Time, Time] | None = None,  # noqa: ARG002
        user_id: str | None = None, alpha: float = 0.5,
    ) -> list[EpisodeMatch]:
        since, until = map(in_utc, time_range or (None, None))
        statement = call(
            "recall_scored", query=query, embedding=None, k=limit, alpha=alpha, since=since, until=until, fusion="rrf", fallback="recent")
        return [
            EpisodeMatch(
                episode=episode_of(row, user_id), score=row["score"] if query.strip() else 1.0, bm25_score=row["bm25_score"],
                vector_score=row["vector_score"])
            for row in await self.rows(user_id, statement, query.strip(), asked=True)
        ]

    async def recall_facts(self, query: str, *, limit: int = 5, valid_at: Time | None = None, user_id: str | None = None) -> list[Fact]:
        return list(await self.facts.recall_text(query, limit=limit, valid_at=valid_at, user_id=user_id))

    async def consolidate(self) -> None:
        """Facts are extracted by loomflow's own consolidator, or by the database's worker (memory.use_model)."""

    async def session_messages(self, session_id: str, *, user_id: str | None = None, limit: int = 20) -> list[Message]:
        rows = await self.rows(user_id, call("messages", session_id=session_id, k=limit))
        return [Message.model_validate(row["message"]) for row in rows]

    async def profile(self, *, user_id: str | None = None) -> MemoryProfile:
        seen = only(await self.rows(user_id, call("overview")))
        return MemoryProfile(
            user_id=user_id, episode_count=seen["episodes"], fact_count=await self.facts.count(user_id=user_id), last_seen=seen["last_seen"],
            recent_sessions=[one["session_id"] for one in seen["sessions"]], sample_facts=await self.facts.query(user_id=user_id))

    async def forget(self, *, user_id: str | None = None, session_id: str | None = None, before: Time | None = None) -> int:
        """With a user alone, all that is here of that user; returns how many episodes, facts and blocks that were."""
        whole = session_id is None and before is None
        narrow = call("forget", session_id=session_id, before="infinity" if whole else in_utc(before))
        receipt = only(await self.rows(user_id, call("forget_user") if whole and user_id is not None else narrow))
        elsewhere = 0 if session_id is not None else await self.facts.delete(user_id=user_id, before=before)
        return int(receipt["episodes"] + receipt["facts"] + receipt["blocks"] + elsewhere)

    async def export(self, *, user_id: str | None = None) -> MemoryExport:
        episodes = reversed(await self.rows(user_id, call("recall_recent", k=None)))
        facts = sorted(await self.facts.query(user_id=user_id, limit=None), key=lambda fact: fact.recorded_at)
        return MemoryExport(
            user_id=user_id, episodes=[episode_of(row, user_id) for row in episodes], facts=facts, blocks=await self.working(user_id=user_id))


class JournalStore(Store):
    """Steps are items, checkpoints are checkpoints: of the user in a session's key (`journal_scope`), and forgotten with that user."""

    def __init__(
        self, source: AsyncSource, *, namespace: str | None = None, max_checkpoints_per_session: int = 20, serializer: Serializer = "json"
    ) -> None:
        super().__init__(source, namespace=namespace)
        self.most, self.serializer = max_checkpoints_per_session, serializer

    async def get(self, kind: str, session_id: str, step_name: str) -> JournalEntry | None:
        for row in await self.rows(user_of(session_id), call("item", path=["journal", session_id, kind], key=step_name)):
            text = row["value"]["value"]
            known, value = _load_value(text.encode() if text.startswith("LJ") else base64.b64decode(text), self.serializer)
            return JournalEntry(value, row["updated_at"].timestamp()) if known else None
        return None

    # Text where loomflow writes JSON, so that it can be read; a pickle is encoded.
    async def put(self, kind: str, session_id: str, step_name: str, value: Any) -> None:
        blob = _dump_value(value, self.serializer)
        if blob is not None:
            text = (blob if blob.startswith(b"LJ") else base64.b64encode(blob)).decode()
            item = call("put_item", path=["journal", session_id, kind], key=step_name, value=Jsonb({"value": text}), texts=[])
            await self.rows(user_of(session_id), item)

    async def get_step(self, session_id: str, step_name: str) -> JournalEntry | None:
        return await self.get("steps", session_id, step_name)

    async def put_step(self, session_id: str, step_name: str, value: Any) -> None:
        await self.put("steps", session_id, step_name, value)

    async def get_stream(self, session_id: str, step_name: str) -> list[Any] | None:
        entry = await self.get("streams", session_id, step_name)
        return None if entry is None else list(entry.value or [])

    async def put_stream(self, session_id: str, step_name: str, chunks: list[Any]) -> None:
        await self.put("streams", session_id, step_name, list(chunks))

    async def put_checkpoint(self, cp: Checkpoint) -> None:
        kept = Jsonb({"turn": cp.turn, "created_at": cp.created_at.isoformat()})
        statement = call(
            "put_checkpoint", session_id=cp.session_id, path=PATH, id=cp.checkpoint_id, state=Unclean(cp.model_dump_json()), metadata=kept,
            keep=self.most if self.most > 0 else None)
        await self.rows(user_of(cp.session_id), statement)

    async def get_checkpoint(self, session_id: str, checkpoint_id: str | None) -> Checkpoint | None:
        rows = await self.rows(user_of(session_id), call("checkpoint", session_id=session_id, path=PATH, id=checkpoint_id))
        return next((Checkpoint.model_validate(row["state"]) for row in rows), None)

    async def get_latest_checkpoint(self, session_id: str) -> Checkpoint | None:
        return await self.get_checkpoint(session_id, None)

    async def list_checkpoints(self, session_id: str, limit: int = 50) -> list[CheckpointMeta]:
        rows = await self.rows(user_of(session_id), call("checkpoints", session_id=session_id, path=PATH, k=limit))
        return [CheckpointMeta(row["id"], row["metadata"]["turn"], Time.fromisoformat(row["metadata"]["created_at"])) for row in rows]

    async def prune(self, before: Time | None = None, session_id: str | None = None) -> None:
        """Of a session, or of the anonymous user's sessions. Another user's whole journal goes with memory.forget_user."""
        when = before and before.astimezone()

        # Checkpoints have the times that loomflow gave them, and others' are none of the journal's.
        def steps() -> Steps[None]:
            yield call("delete_items", prefix=["journal", *([session_id] if session_id is not None else [])], before=when)
            rows = yield call("checkpoints", session_id=session_id, k=None)
            kept = [row["id"] for row in rows if row["path"] != PATH or (when and Time.fromisoformat(row["metadata"]["created_at"]) >= when)]
            yield call("prune_checkpoints", session_ids=sorted({row["session_id"] for row in rows}), keep=0, protect=kept)

        await self.run(None if session_id is None else user_of(session_id), steps())


def id_of(name: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_URL, f"loomflow:{name}")


def source_of(name: str) -> Steps[uuid.UUID | None]:
    """The id of an episode, where it is here."""
    return id_of(name) if (yield call("get", id=id_of(name))) else None


# user:LENGTH:USER:SESSION
def user_of(session_id: str) -> str | None:
    kind, _, rest = session_id.partition(":")
    length, _, rest = rest.partition(":")
    return rest[: int(length)] if kind == "user" and length.isdecimal() else None


def episode_of(row: Row, user_id: str | None) -> Episode:
    kept = row["metadata"].get("loomflow", {})
    return Episode(
        id=kept.get("id", str(row["id"])), session_id=row["session_id"] or "", user_id=user_id, occurred_at=row["occurred_at"],
        input=row["content"], output=row["response"] or "", tool_calls=kept.get("tool_calls", []))


def fact_of(row: Row) -> Fact:
    kept = row["metadata"].get("loomflow", {})
    return Fact(
        id=kept.get("id", str(row["id"])), user_id=row["user_id"], subject=row["subject"], predicate=row["predicate"], object=row["object"],
        confidence=row["confidence"], valid_from=row["valid_from"] or Time.min.replace(tzinfo=datetime.timezone.utc), valid_until=row["valid_until"],
        recorded_at=kept.get("recorded_at", row["known_from"]), sources=kept.get("sources", list(map(str, row["sources"]))))
