# Anthropic's memory tool over memory's blocks: a file under /memories is a block of that name. Whose they are is an argument
# of every call, so that any pool of psycopg will do; a command is a transaction. What it answers is worded as the SDK's own.
import contextlib
import re

import psycopg
from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from psycopg.rows import dict_row

ROOT = '/memories'
MOST_LINES = 999999


# A command yields statements, is sent their rows or thrown their error, and returns what the tool answers.
def view(command):
    path, name = command.path, checked(command.path)
    for row in (yield call('block', name=name)):
        lines = row['content'].split('\n')
        if len(lines) > MOST_LINES:
            raise ToolError(f'File {path} exceeds maximum line limit of {MOST_LINES:,} lines.')
        first, last = command.view_range or (1, -1)
        return f"Here's the content of {path} with line numbers:\n" + numbered(lines, max(1, first), len(lines) if last == -1 else last)
    # What lies deeper is rolled up: of depth 1 come the directories of the first level, of depth 2 those of the second.
    rows = (yield call('blocks', prefix=name, depth=1, with_content=False)) + (yield call('blocks', prefix=name, depth=2, with_content=False))
    if not rows and name != ROOT:
        raise missing(path)
    below = {tuple(row['name'][len(name) + 1:].split('/')): row for row in rows}
    listed = [(sum(row['chars'] for segments, row in below.items() if len(segments) == 1), path)]
    listed += [(row['chars'], '/'.join([path.rstrip('/'), *segments]) + '/' * (row['version'] is None))
               for segments, row in sorted(below.items()) if not any(one.startswith('.') for one in segments)]
    return (f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:\n"
            + '\n'.join(f'{size(chars)}\t{path}' for chars, path in listed))


def create(command):
    with refused({'23505': f'File {command.path} already exists'}):
        yield call('set_block', name=checked(command.path), content=command.file_text, expected_version=0)
    return f'File created successfully at: {command.path}'


# Which line has changed is told by what the history has before the edit.
def str_replace(command):
    path, name, old, new = command.path, checked(command.path), command.old_str, command.new_str

    def misplaced(error):
        lines = re.search(r'lines: (.*)\.', error.diag.message_detail or '')
        if lines:
            return f'No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines[1]}. Please ensure it is unique'
        return f'No replacement was performed, old_str `{old}` did not appear verbatim in {path}.'

    yield from content_of(path)
    with refused({'22023': misplaced}):
        yield call('edit_block', name=name, new=new, old=old)
    versions = yield call('block_history', name=name, k=2)
    before = versions[-1 if old != new else 0]['content']
    line = before[:before.index(old)].count('\n') + 1
    return ('The memory file has been edited. Here is the snippet showing the change (with line numbers):\n'
            + numbered(versions[0]['content'].split('\n'), max(1, line - 2), line + 2))


# A file ends with a line feed from then on, as with the SDK.
def insert(command):
    path, name, line = command.path, checked(command.path), command.insert_line
    content = yield from content_of(path)
    with refused({'22023': f'Invalid `insert_line` parameter: {line}. It should be within the range [0, {lines_in(content)}].'}):
        yield call('edit_block', name=name, new=command.insert_text.rstrip('\n'), line=line)
    if not (yield from content_of(path)).endswith('\n'):
        yield call('append_block', name=name, content='\n')
    return f'The file {path} has been edited.'


def delete(command):
    if checked(command.path) == ROOT:
        raise ToolError(f'Cannot delete the {ROOT} directory itself')
    with refused():
        row, = yield call('delete_block', name=checked(command.path), recursive=True)
    if not row['delete_block']:
        raise ToolError(f'The path {command.path} does not exist')
    return f'Successfully deleted {command.path}'


def rename(command):
    old, new = checked(command.old_path), checked(command.new_path)
    if not (yield call('blocks', prefix=old, with_content=False)):
        raise ToolError(f'The path {command.old_path} does not exist')
    with refused({'23505': f'The destination {command.new_path} already exists'}):
        yield call('rename_block', name=old, new_name=new)
    return f'Successfully renamed {command.old_path} to {command.new_path}'


def clear():
    yield call('delete_block', name=ROOT, recursive=True)
    return 'All memory cleared'


def call(function, **named):
    arguments = ', '.join(f'{name} => %({name})s' for name in [*named, 'user_id'])
    return f'SELECT * FROM memory.{function}({arguments})', named


def content_of(path):
    for row in (yield call('block', name=checked(path))):
        return row['content']
    if (yield call('blocks', prefix=checked(path), with_content=False)):
        raise ToolError(f'The path {path} is not a file.')
    raise missing(path)


def checked(path):
    if not path.startswith(ROOT):
        raise ToolError(f'Path must start with {ROOT}, got: {path}')
    if '..' in path.split('/') or path[len(ROOT):len(ROOT) + 1] not in ('', '/'):
        raise ToolError(f'Path {path} would escape {ROOT} directory')
    return path.rstrip('/')


def missing(path):
    return ToolError(f'The path {path} does not exist. Please provide a valid path.')


# What the database refuses the model is told in its words: a block over its limit, a read-only one, a name with an empty segment.
@contextlib.contextmanager
def refused(texts={}):
    try:
        yield
    except psycopg.Error as error:
        if error.sqlstate is None:
            raise
        text = texts.get(error.sqlstate) or '. '.join(filter(None, [error.diag.message_primary, error.diag.message_detail]))
        raise ToolError(text(error) if callable(text) else text) from error


# A line feed belongs to the line that it ends.
def lines_in(content):
    return len(content.removesuffix('\n').split('\n')) if content else 0


def numbered(lines, first, last):
    return '\n'.join(f'{number:>6}\t{line}' for number, line in enumerate(lines[first - 1:last], start=first))


# Of characters, which blocks count.
def size(chars):
    power = min(max(chars.bit_length() - 1, 0) // 10, 3)
    return f'{chars / 1024 ** power:.1f}'.removesuffix('.0') + 'BKMG'[power]


class MemoryTool(BetaAbstractMemoryTool):
    def __init__(self, pool, user_id, **options):
        super().__init__(**options)
        self.pool, self.user_id = pool, user_id

    def run(self, steps):
        with self.pool.connection() as db, db.cursor(row_factory=dict_row) as cursor:
            answer = steps.send, None
            while True:
                try:
                    text, named = answer[0](answer[1])
                except StopIteration as end:
                    return end.value
                try:
                    answer = steps.send, cursor.execute(text, {**named, 'user_id': self.user_id}).fetchall()
                except psycopg.Error as error:
                    answer = steps.throw, error

    def view(self, command): return self.run(view(command))
    def create(self, command): return self.run(create(command))
    def str_replace(self, command): return self.run(str_replace(command))
    def insert(self, command): return self.run(insert(command))
    def delete(self, command): return self.run(delete(command))
    def rename(self, command): return self.run(rename(command))
    def clear_all_memory(self): return self.run(clear())


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    def __init__(self, pool, user_id, **options):
        super().__init__(**options)
        self.pool, self.user_id = pool, user_id

    async def run(self, steps):
        async with self.pool.connection() as db, db.cursor(row_factory=dict_row) as cursor:
            answer = steps.send, None
            while True:
                try:
                    text, named = answer[0](answer[1])
                except StopIteration as end:
                    return end.value
                try:
                    answer = steps.send, await (await cursor.execute(text, {**named, 'user_id': self.user_id})).fetchall()
                except psycopg.Error as error:
                    answer = steps.throw, error

    async def view(self, command): return await self.run(view(command))
    async def create(self, command): return await self.run(create(command))
    async def str_replace(self, command): return await self.run(str_replace(command))
    async def insert(self, command): return await self.run(insert(command))
    async def delete(self, command): return await self.run(delete(command))
    async def rename(self, command): return await self.run(rename(command))
    async def clear_all_memory(self): return await self.run(clear())
