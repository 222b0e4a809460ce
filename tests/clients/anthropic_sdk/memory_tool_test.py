# Anthropic's memory tool of the package, as TAP: commands as a model calls it, and what Anthropic's own tests do not ask.
import asyncio
import sys
import threading
import uuid

import psycopg_pool
from anthropic.lib.tools import ToolError
from memory_postgresql.anthropic_memory_tool import AsyncMemoryTool, MemoryTool
import tap
from tap import same


def told(tool, **command):
    try:
        return tool.call(command)
    except ToolError as error:
        return f'error: {error}'


def commands(pool):
    tool = MemoryTool(pool, user=str(uuid.uuid4()))
    same(tool.to_dict(), {'type': 'memory_20250818', 'name': 'memory'}, 'the tool as the API is told of it')
    same(told(tool, command='view', path='/memories'),
         "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n0B\t/memories", 'an empty memory')
    for path, text in ('/memories/a.md', 'one\ntwo\nthree\nfour\nfive\n'), ('/memories/trips/2026/vienna.md', 'x' * 1536), ('/memories/trips/.draft', 'y'):
        told(tool, command='create', path=path, file_text=text)
    same(told(tool, command='view', path='/memories'), """Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:
1.5K\t/memories
24B\t/memories/a.md
1.5K\t/memories/trips/
1.5K\t/memories/trips/2026/""", 'two levels of directories, with their sizes, without what is hidden')
    same(told(tool, command='view', path='/memories/trips/'), """Here're the files and directories up to 2 levels deep in /memories/trips/, excluding hidden items:
1.5K\t/memories/trips/
1.5K\t/memories/trips/2026/
1.5K\t/memories/trips/2026/vienna.md""", 'a directory below')
    same(told(tool, command='view', path='/memories/a.md', view_range=[4, -1]),
         "Here's the content of /memories/a.md with line numbers:\n     4\tfour\n     5\tfive\n     6\t", 'the end of a file')
    same(told(tool, command='str_replace', path='/memories/a.md', old_str='four', new_str='4\n4½'),
         'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     2\ttwo\n     3\tthree\n     4\t4\n     5\t4½\n     6\tfive',
         'a replacement, and the lines around it')
    same(told(tool, command='str_replace', path='/memories/a.md', old_str='five', new_str='five').splitlines()[-2:], ['     6\tfive', '     7\t'],
         'a replacement that changes nothing')
    same([told(tool, command='insert', path='/memories/a.md', insert_line=6, insert_text='six\n'), told(tool, command='view', path='/memories/a.md', view_range=[6, -1])],
         ['The file /memories/a.md has been edited.', "Here's the content of /memories/a.md with line numbers:\n     6\tfive\n     7\tsix\n     8\t"],
         'a line behind the last')
    same(told(tool, command='rename', old_path='/memories/trips', new_path='/memories/old/trips'), 'Successfully renamed /memories/trips to /memories/old/trips',
         'a directory is renamed')
    same(told(tool, command='view', path='/memories/old/trips/2026/vienna.md', view_range=[1, 1])[-5:], 'xxxxx', '… with what is in it')
    same(tool.clear_all_memory(), 'All memory cleared', 'all is cleared')
    same(told(tool, command='view', path='/memories/a.md'), 'error: The path /memories/a.md does not exist. Please provide a valid path.', '… and gone')


def refusals(pool):
    tool, other = MemoryTool(pool, user=str(uuid.uuid4())), MemoryTool(pool, user=str(uuid.uuid4()))
    told(tool, command='create', path='/memories/d/a.md', file_text='ada\n')
    for name, got, expected in [
            ("another user's file", told(other, command='view', path='/memories/d/a.md'), 'The path /memories/d/a.md does not exist. Please provide a valid path.'),
            ('an edit of a directory', told(tool, command='insert', path='/memories/d', insert_line=0, insert_text='x'), 'The path /memories/d is not a file.'),
            ('a file in a file', told(tool, command='rename', old_path='/memories/d', new_path='/memories/d/a.md/d'),
             'new_name: "/memories/d" cannot come to lie below itself, as "/memories/d/a.md/d"'),
            ('a line past the last', told(tool, command='insert', path='/memories/d/a.md', insert_line=2, insert_text='x'),
             'Invalid `insert_line` parameter: 2. It should be within the range [0, 1].'),
            ('an empty segment', told(tool, command='create', path='/memories//b', file_text='x'), 'name has an empty segment'),
            ('a name that only begins so', told(tool, command='create', path='/memories2/b', file_text='x'), 'Path /memories2/b would escape /memories directory')]:
        same(got, f'error: {expected}', f'refused: {name}')
    with pool.connection() as db:
        db.execute("SELECT memory.set_block('/memories/d/a.md', E'ada\n', char_limit => 10, user_id => %s)", [tool.database.user])
    same(told(tool, command='str_replace', path='/memories/d/a.md', old_str='ada', new_str='ada lovelace'),
         'error: block "/memories/d/a.md" would be over its limit. It would have 13 characters, and its char_limit is 10.', 'refused: more than the limit of the block')
    with pool.connection() as db:
        db.execute("SELECT memory.set_block('/memories/d/a.md', E'ada\n', read_only => true, user_id => %s)", [tool.database.user])
    same(told(tool, command='delete', path='/memories/d'), 'error: block "/memories/d/a.md" is read-only', 'refused: to delete a directory with a read-only file')
    same(told(tool, command='view', path='/memories/d/a.md').split('\n')[1:], ['     1\tada', '     2\t'], '… and all is as it was')


# Each adds a line to one file, and makes a file of its own.
def at_once(pool):
    tool = MemoryTool(pool, user=str(uuid.uuid4()))
    told(tool, command='create', path='/memories/log', file_text='')
    said = []

    def work(n):
        for i in range(5):
            said.append(told(tool, command='insert', path='/memories/log', insert_line=0, insert_text=f'{n} {i}'))
        said.append(told(tool, command='create', path=f'/memories/own/{n}', file_text=''))
        said.append(told(tool, command='create', path='/memories/shared', file_text=f'{n}'))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = told(tool, command='view', path='/memories/log').split('\n')[1:-1]
    same(sorted(line.split('\t')[1] for line in lines), sorted(f'{n} {i}' for n in range(16) for i in range(5)), '16 writers of a file: no line is lost')
    same(sorted(one for one in said if one.startswith('error')), ['error: File /memories/shared already exists'] * 15, '… and one of 16 makes a file')


async def asynchronous(arguments):
    async with psycopg_pool.AsyncConnectionPool('', min_size=1, max_size=4, kwargs=arguments) as pool:
        tool = AsyncMemoryTool(pool, user=str(uuid.uuid4()))
        await asyncio.gather(*(tool.call({'command': 'create', 'path': f'/memories/{n}', 'file_text': f'{n}'}) for n in range(8)))
        seen = await tool.call({'command': 'view', 'path': '/memories'})
        same(seen.split('\n')[1:], ['8B\t/memories', *(f'1B\t/memories/{n}' for n in range(8))], 'the asynchronous tool')
        same(await tool.clear_all_memory(), 'All memory cleared', '… clears all')


arguments = {'prepare_threshold': None} if sys.argv[1] == 'pooled' else {}
with psycopg_pool.ConnectionPool('', min_size=2, max_size=16, kwargs=arguments) as pool:
    for part in commands, refusals, at_once:
        part(pool)
asyncio.run(asynchronous(arguments))
tap.end()
