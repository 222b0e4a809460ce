"""A checkpointer: a thread is a session, a checkpoint_ns is a path, a channel is a part, which is written when it changes."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    get_checkpoint_id,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import TASKS
from psycopg.types.json import Jsonb

from .._calls import awaited, columns, each, sync
from .._database import AsyncDatabase, AsyncSource, Database, Row, Source, Steps, call, json

Visit = Callable[[CheckpointTuple, Row], Steps[None]]


def config_of(thread: str, path: str, id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": path, "checkpoint_id": id}}


class Saving(BaseCheckpointSaver[str]):
    """What a checkpointer does, as steps."""

    # Numbers would meet again where two forks go on from one checkpoint.
    def get_next_version(self, current: str | None, channel: None) -> str:  # noqa: ARG002
        return f"{int(str(current or 0).split('.')[0]) + 1:032}.{random.random():016}"  # noqa: S311

    def loaded(self, kind: str, data: bytes) -> Any:
        return self.serde.loads_typed((kind, data))

    def read(self, row: Row) -> Steps[CheckpointTuple]:
        thread, path, state, parent = row["session_id"], row["path"], row["state"], row["parent"]
        parts = columns(row, "part_names", "part_types", "part_data")
        values = {name: self.loaded(kind, data) for name, kind, data in parts if data is not None}
        if state["v"] < 4 and parent:  # Before version 4 of LangGraph's format the sends were the parent's.
            sends = yield call("writes", session_id=thread, checkpoint=parent, path=path)
            sends = sorted((send for send in sends if send["name"] == TASKS), key=lambda send: send["task_path"])
            if sends:
                versions = state["channel_versions"]
                versions[TASKS] = max(versions.values(), default=self.get_next_version(None, None))
                values[TASKS] = [self.loaded(send["type"], send["data"]) for send in sends]
        written = columns(row, "write_tasks", "write_names", "write_types", "write_data")
        writes = [(task, name, self.loaded(kind, data)) for task, name, kind, data in written]
        checkpoint = cast(Checkpoint, {**state, "channel_values": values})
        config, before = config_of(thread, path, row["id"]), config_of(thread, path, parent) if parent else None
        return CheckpointTuple(config, checkpoint, row["metadata"], before, writes)

    def found(self, config: RunnableConfig) -> Steps[CheckpointTuple | None]:
        here = config["configurable"]
        rows = yield call("checkpoint", session_id=here["thread_id"], id=get_checkpoint_id(config), path=here.get("checkpoint_ns", ""))
        return next(iter((yield from each(self.read, rows))), None)

    # Over all threads `before` is a time, which LangGraph's ids begin with: they are compared here.
    def listed(
        self, config: RunnableConfig | None, *, filter: Row | None = None, before: RunnableConfig | None = None, limit: int | None = None
    ) -> Steps[Iterator[CheckpointTuple]]:
        here = (config or {}).get("configurable", {})
        thread, exact, cursor = here.get("thread_id"), here.get("checkpoint_id"), get_checkpoint_id(before) if before else None
        by_text = cursor if cursor and not thread else None
        rows = yield call(
            "checkpoints", session_id=thread, path=here.get("checkpoint_ns"), full_rows=True, before=None if by_text else cursor,
            filter=json(filter or None), k=None if by_text or exact else limit)
        rows = [row for row in rows if (not exact or row["id"] == exact) and (not by_text or row["id"] < by_text)]
        return iter((yield from each(self.read, rows[:limit])))

    def kept(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> Steps[RunnableConfig]:
        here, values = config["configurable"], checkpoint["channel_values"]
        parts = [self.serde.dumps_typed(values[name]) if name in values else ("empty", None) for name in new_versions]
        thread, path = here["thread_id"], here.get("checkpoint_ns", "")
        yield call(
            "put_checkpoint", session_id=thread, id=checkpoint["id"], parent=get_checkpoint_id(config), path=path,
            state=Jsonb({name: value for name, value in checkpoint.items() if name != "channel_values"}),
            metadata=Jsonb(get_serializable_checkpoint_metadata(config, metadata)),
            refs=Jsonb({name: str(version) for name, version in checkpoint["channel_versions"].items()}),
            part_names=list(new_versions), part_types=[kind for kind, data in parts], part_data=[data for kind, data in parts])
        return config_of(thread, path, checkpoint["id"])

    def written(self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = "") -> Steps[None]:
        here, data = config["configurable"], [self.serde.dumps_typed(value) for name, value in writes]
        yield call(
            "put_writes", session_id=here["thread_id"], checkpoint=here["checkpoint_id"], task=task_id, task_path=task_path,
            path=here.get("checkpoint_ns", ""), idx=[WRITES_IDX_MAP.get(name, i) for i, (name, value) in enumerate(writes)],
            names=[name for name, value in writes], types=[kind for kind, value in data], data=[value for kind, value in data],
            replace=all(name in WRITES_IDX_MAP for name, value in writes))

    def deleted(self, thread_id: str) -> Steps[None]:
        yield call("delete_session", session_id=thread_id)

    def deleted_for_runs(self, run_ids: Sequence[str]) -> Steps[None]:
        yield call("prune_checkpoints", run_ids=list(run_ids))

    def copied(self, source_thread_id: str, target_thread_id: str) -> Steps[None]:
        yield call("fork_session", session_id=source_thread_id, new_session=target_thread_id)

    # The steps before `start`, the nearest first, in pages, until they have a value of every channel that is missing.
    def walk(self, thread: str, path: str, start: str | None, missing: set[str], visit: Visit) -> Steps[None]:
        while missing and start:
            rows = yield call("checkpoints", session_id=thread, path=path, ancestors_of=start, k=16, full_rows=True)
            for row in rows:
                step = yield from self.read(row)
                yield from visit(step, row)
                missing -= set(step.checkpoint["channel_values"])
                if not missing:
                    return
            start = rows[-1]["id"] if rows else None

    def history(self, *, config: RunnableConfig, channels: Sequence[str]) -> Steps[Mapping[str, DeltaChannelHistory]]:
        here, missing = config["configurable"], set(channels)
        found: dict[str, DeltaChannelHistory] = {channel: {"writes": []} for channel in channels}

        # Writes of several tasks are in the order in which a run applies them, by the tasks' paths.
        def visit(step: CheckpointTuple, row: Row) -> Steps[None]:
            writes = list(step.pending_writes or ())
            if len({task for task, name, value in writes}) > 1:
                rows = yield call("writes", session_id=row["session_id"], checkpoint=row["id"], path=row["path"])
                paths = {one["task"]: one["task_path"] for one in rows}
                writes.sort(key=lambda write: (paths[write[0]], write[0]))
            for channel in missing:
                found[channel]["writes"][:0] = [write for write in writes if write[1] == channel]
                if channel in step.checkpoint["channel_values"]:
                    found[channel]["seed"] = step.checkpoint["channel_values"][channel]

        newest = (yield from self.found(config)) if channels else None
        start = newest.checkpoint["id"] if newest else None
        yield from self.walk(here["thread_id"], here.get("checkpoint_ns", ""), start, missing, visit)
        return found

    # A DeltaChannel is made of the steps since its snapshot: they stay with the checkpoint that stays.
    def pruned(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> Steps[None]:
        kept: list[str] = []

        def visit(step: CheckpointTuple, row: Row) -> Steps[None]:  # noqa: ARG001
            kept.append(row["id"])
            yield from ()

        for thread in thread_ids if strategy == "keep_latest" else ():
            rows = yield call("checkpoints", session_id=thread, k=None)
            for row in {row["path"]: row for row in reversed(rows)}.values():
                missing = set(row["metadata"].get("counters_since_delta_snapshot") or ())
                yield from self.walk(thread, row["path"], row["id"], missing, visit)
        yield call("prune_checkpoints", session_ids=list(thread_ids), keep={"keep_latest": 1, "delete": 0}[strategy], protect=kept)


class Saver(Saving):
    """Through a connection or a pool of psycopg: `graph.compile(checkpointer=Saver(pool, user="ada"))`."""

    def __init__(self, source: Source, *, user: str | None, namespace: str | None = None, serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde)
        self.database = Database(source, user, namespace)

    get_tuple, list, prune = sync(Saving.found), sync(Saving.listed), sync(Saving.pruned)
    put, put_writes = sync(Saving.kept), sync(Saving.written)
    delete_thread, delete_for_runs, copy_thread = sync(Saving.deleted), sync(Saving.deleted_for_runs), sync(Saving.copied)
    get_delta_channel_history = sync(Saving.history)


class AsyncSaver(Saving):
    """The same for graphs that are awaited, through asynchronous connections."""

    def __init__(
        self, source: AsyncSource, *, user: str | None, namespace: str | None = None, serde: SerializerProtocol | None = None
    ) -> None:
        super().__init__(serde=serde)
        self.database = AsyncDatabase(source, user, namespace)

    aget_tuple, aprune = awaited(Saving.found), awaited(Saving.pruned)
    aput, aput_writes = awaited(Saving.kept), awaited(Saving.written)
    adelete_thread, adelete_for_runs, acopy_thread = awaited(Saving.deleted), awaited(Saving.deleted_for_runs), awaited(Saving.copied)
    aget_delta_channel_history = awaited(Saving.history)

    async def alist(self, config: RunnableConfig | None, **which: Any) -> AsyncIterator[CheckpointTuple]:
        for one in await self.database.run(self.listed(config, **which)):
            yield one
