# A checkpointer of LangGraph over memory's checkpoints: a thread is a session, a checkpoint_ns is a path, a channel is a part.
# Whose they are is the setting memory.user_id of the connection.
import json
import random

from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple, WRITES_IDX_MAP, get_checkpoint_id
from langgraph.checkpoint.base import get_serializable_checkpoint_metadata
from langgraph.checkpoint.serde.types import TASKS
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb


class Saver(BaseCheckpointSaver[str]):
    def __init__(self, connection, serde=None):
        super().__init__(serde=serde)
        self.connection = connection

    # Numbers would meet again where two forks go on from one checkpoint.
    def get_next_version(self, current, channel):
        return f'{int(str(current or 0).split(".")[0]) + 1:032}.{random.random():016}'

    async def call(self, function, **named):
        text = f'SELECT * FROM memory.{function}({", ".join(f"{name} => %({name})s" for name in named)})'
        async with self.connection.cursor(row_factory=dict_row) as cursor:
            return await (await cursor.execute(text, named)).fetchall()

    async def tuple(self, row):
        def config(id):
            return {'configurable': {'thread_id': row['session_id'], 'checkpoint_ns': row['path'], 'checkpoint_id': id}}

        def rows(*names):
            return zip(*(row[name] or [] for name in names))

        state, parent = row['state'], row['parent']
        values = {name: self.serde.loads_typed((type, data))
                  for name, type, data in rows('part_names', 'part_types', 'part_data') if data is not None}
        if state['v'] < 4 and parent:  # Before version 4 of LangGraph's format the sends were the parent's.
            sends = await self.call('writes', session_id=row['session_id'], checkpoint=parent, path=row['path'])
            sends = sorted((send for send in sends if send['name'] == TASKS), key=lambda send: send['task_path'])
            if sends:
                versions = state['channel_versions']
                versions[TASKS] = max(versions.values(), default=self.get_next_version(None, None))
                values[TASKS] = [self.serde.loads_typed((send['type'], send['data'])) for send in sends]
        writes = [(task, name, self.serde.loads_typed((type, data)))
                  for task, name, type, data in rows('write_tasks', 'write_names', 'write_types', 'write_data')]
        return CheckpointTuple(config(row['id']), {**state, 'channel_values': values}, row['metadata'],
                               config(parent) if parent else None, writes)

    async def aget_tuple(self, config):
        here = config['configurable']
        for row in await self.call('checkpoint', session_id=here['thread_id'], id=get_checkpoint_id(config),
                                   path=here.get('checkpoint_ns', '')):
            return await self.tuple(row)

    # Over all threads `before` is a time, which LangGraph's ids begin with: they are compared here.
    async def alist(self, config, *, filter=None, before=None, limit=None):
        here = (config or {}).get('configurable', {})
        thread, id, cursor = here.get('thread_id'), here.get('checkpoint_id'), before and get_checkpoint_id(before)
        by_text = cursor and not thread
        rows = await self.call('checkpoints', session_id=thread, path=here.get('checkpoint_ns'), full_rows=True,
                               before=None if by_text else cursor, filter=filter and Jsonb(filter),
                               k=None if by_text or id else limit)
        rows = [row for row in rows if (not id or row['id'] == id) and (not by_text or row['id'] < cursor)]
        for row in rows[:limit]:
            yield await self.tuple(row)

    async def aput(self, config, checkpoint, metadata, new_versions):
        here, id, values = config['configurable'], checkpoint['id'], checkpoint['channel_values']
        parts = [self.serde.dumps_typed(values[name]) if name in values else ('empty', None) for name in new_versions]
        await self.call(
            'put_checkpoint', session_id=here['thread_id'], id=id, parent=get_checkpoint_id(config),
            state=Jsonb({name: value for name, value in checkpoint.items() if name != 'channel_values'}),
            metadata=Jsonb(get_serializable_checkpoint_metadata(config, metadata)), path=here.get('checkpoint_ns', ''),
            refs=Jsonb({name: str(version) for name, version in checkpoint['channel_versions'].items()}),
            part_names=list(new_versions), part_types=[type for type, data in parts], part_data=[data for type, data in parts])
        return {'configurable': {'thread_id': here['thread_id'], 'checkpoint_ns': here.get('checkpoint_ns', ''), 'checkpoint_id': id}}

    async def aput_writes(self, config, writes, task_id, task_path=''):
        here, data = config['configurable'], [self.serde.dumps_typed(value) for name, value in writes]
        await self.call(
            'put_writes', session_id=here['thread_id'], checkpoint=here['checkpoint_id'], task=task_id, task_path=task_path,
            path=here.get('checkpoint_ns', ''), idx=[WRITES_IDX_MAP.get(name, i) for i, (name, value) in enumerate(writes)],
            names=[name for name, value in writes], types=[type for type, value in data], data=[value for type, value in data],
            replace=all(name in WRITES_IDX_MAP for name, value in writes))

    async def adelete_thread(self, thread_id):
        await self.call('delete_session', session_id=thread_id)

    async def adelete_for_runs(self, run_ids):
        await self.call('prune_checkpoints', run_ids=list(run_ids))

    async def acopy_thread(self, source_thread_id, target_thread_id):
        await self.call('fork_session', session_id=source_thread_id, new_session=target_thread_id)

    # The steps before `id`, the nearest first, in pages.
    async def ancestors(self, thread, path, id):
        while id:
            rows = await self.call('checkpoints', session_id=thread, path=path, ancestors_of=id, k=16, full_rows=True)
            for row in rows:
                yield await self.tuple(row)
            id = rows[-1]['id'] if rows else None

    async def aget_delta_channel_history(self, *, config, channels):
        here, found, missing = config['configurable'], {channel: {'writes': []} for channel in channels}, set(channels)
        newest = await self.aget_tuple(config) if channels else None
        async for step in self.ancestors(here['thread_id'], here.get('checkpoint_ns', ''), newest and newest.checkpoint['id']):
            for channel in tuple(missing):
                found[channel]['writes'][:0] = [write for write in step.pending_writes if write[1] == channel]
                if channel in step.checkpoint['channel_values']:
                    found[channel]['seed'] = step.checkpoint['channel_values'][channel]
                    missing.remove(channel)
            if not missing:
                break
        return found

    # A DeltaChannel is made of the steps since its snapshot: they stay with the checkpoint that stays.
    async def aprune(self, thread_ids, *, strategy='keep_latest'):
        protected = []
        for thread in thread_ids if strategy == 'keep_latest' else ():
            rows = await self.call('checkpoints', session_id=thread, k=None)
            for row in {row['path']: row for row in reversed(rows)}.values():
                missing = set(row['metadata'].get('counters_since_delta_snapshot') or ())
                async for step in self.ancestors(thread, row['path'], missing and row['id']):
                    protected.append(step.checkpoint['id'])
                    missing -= set(step.checkpoint['channel_values'])
                    if not missing:
                        break
        await self.call('prune_checkpoints', session_ids=list(thread_ids), keep={'keep_latest': 1, 'delete': 0}[strategy],
                        protect=protected)
