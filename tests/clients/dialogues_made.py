# 10,000 turns of dialogues, a session a line: {"session": …, "messages": […]}. They are those of the file that is named, a
# collection of service dialogues (JSON lines with id, session, role, text, services), or else made by a generator with a seed.
import gzip
import itertools
import json
import random
import sys

TURNS = 10000
WORDS = ('a table for two', 'the night train to Vienna', 'half past seven', '"window seat"', 'Zürich HB', 'for 42.50 €', 'O\'Hare', 'back\\slash',
         '東京の宿', 'مطعم قريب', 'наступний тиждень', '🍵', 'please', 'the 3rd of March', 'and then', 'two\nlines', 'a\ttab', '<b>cheap</b>', '%s $1 {}')
SERVICES = ('Restaurants_2', 'Trains_1', 'Hotels_4', 'Media_3')


def collected(path):
    with gzip.open(path, 'rt', encoding='utf-8') as lines:
        yield from itertools.islice(map(json.loads, lines), TURNS)


def made():
    chance = random.Random(17)
    turns = ({'id': f'made/{session}/{turn}', 'session': f'made/{session}', 'role': ('user', 'system')[turn % 2],
              'text': ' '.join(chance.choices(WORDS, k=chance.randint(1, 15))), 'services': chance.sample(SERVICES, chance.randint(1, 3))}
             for session in itertools.count() for turn in range(chance.randrange(8, 36, 2)))
    yield from itertools.islice(turns, TURNS)


# What they call the system is what answers: the assistant.
def message(turn):
    return {'id': turn['id'], 'role': 'user' if turn['role'] == 'user' else 'assistant', 'content': turn['text'], 'services': turn['services']}


turns = collected(sys.argv[1]) if sys.argv[1:] else made()
for session, those in itertools.groupby(turns, key=lambda turn: turn['session']):
    print(json.dumps({'session': session, 'messages': list(map(message, those))}))
