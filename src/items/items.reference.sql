-- What docs/reference.md says of items, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Items', 'JSON under a path and a key, found by these, by what it holds, and by what it says. [Items](items.md) has the rules.');

INSERT INTO explained VALUES
('item', 'path', 'Where it is.'),
('item', 'key', 'Its name on the path: any text of at most 1 kB, compared byte by byte.'),
('put_item', 'path', 'Where it is: names from the outermost to the innermost, at most 1 kB together; none is empty or NULL. `''{}''` is a path as any.'),
('put_item', 'key', 'Its name on the path: any text of at most 1 kB, compared byte by byte.'),
('put_item', 'value', 'Any JSON.'),
('put_item', 'ttl', 'How long it lives from now. NULL: for ever.'),
('put_item', 'texts', 'What it is recalled by. NULL: all strings among the values of `value`, at any depth; `''{}''`: nothing.'),
('put_item', 'embeddings', 'Its vectors, by the model in use; the most similar one counts. NULL: none, unless the database embeds by itself (`use_model`).'),
('put_item', 'expected_version', 'The version that the caller has read; 0: that there is no such item. NULL: whatever it is.'),
('put_items', 'items', 'A JSON array of objects. Keys are the arguments of `put_item`; an unknown key is an error.'),
('put_items', 'user_id', 'The user of elements that name none. NULL: as everywhere.'),
('items', 'prefix', 'Only items whose paths begin with these names. `''{}''` and NULL: all.'),
('items', 'query', 'Words to find, as for `memory.query`. NULL or blank: the vectors alone rank. At most `memory.max_query`.'),
('items', 'embedding', 'The question as a vector, by the model in use. NULL: the words alone rank, unless the database embeds by itself (`use_model`). With neither, the items that were put last come, without a score.'),
('items', 'filter', 'What the value must be like ([the guide](guide.md#filters)). NULL: anything.'),
('items', 'keys', 'Only items of these keys. NULL: all.'),
('items', 'skip', 'How many of the first are left out: the rows of earlier pages. NULL: 0.'),
('items', 'alpha', 'The weight of the vectors, 0 to 1, as for `recall_scored`.'),
('items', 'min_relevance', '0 to 1: leaves out what answers a smaller part of the question, as for `recall_scored`.'),
('items', 'path', 'Where it is.'),
('items', 'key', 'Its name on the path.'),
('items', 'value', 'The JSON.'),
('items', 'version', 'As in `memory.item`.'),
('items', 'created_at', 'When it was put first.'),
('items', 'updated_at', 'When it was put last.'),
('items', 'expires_at', 'When it expires. NULL: never.'),
('items', 'score', 'What ranked rows are ordered by. NULL without query and embedding.'),
('items', 'relevance', '0 to 1: how much of the question the row answers. NULL without query and embedding.'),
('item_paths', 'prefix', 'What the paths begin with; `*` is any one name. NULL: anything.'),
('item_paths', 'suffix', 'What the paths end with; `*` is any one name. NULL: anything.'),
('item_paths', 'depth', 'How many of their first names the paths are shown by, 1 or more. NULL: all.'),
('item_paths', 'skip', 'How many of the first are left out: the rows of earlier pages. NULL: 0.'),
('item_paths', 'path', 'The path, or its first names.'),
('item_paths', 'items', 'How many items there are on it; with `depth`, on all that begin with these names and were found.'),
('item_paths', 'updated_at', 'When one of them was put last.'),
('delete_items', 'prefix', 'Only items whose paths begin with these names; `''{}''` is all. NULL: any.'),
('delete_items', 'keys', 'Only items of these keys. NULL: any.'),
('delete_items', 'filter', 'What the value must be like ([the guide](guide.md#filters)). NULL: anything.'),
('delete_items', 'before', 'Only what was put last before then. NULL: whenever.'),
('delete_items', 'exact', 'Only items on the path `prefix` itself.'),
('touch_items', 'prefix', 'Only items whose paths begin with these names; `''{}''` is all.'),
('touch_items', 'keys', 'Only items of these keys. NULL: all.');

INSERT INTO example (function, statements) VALUES
('put_item', $$
SELECT memory.put_item('{users,ann}', 'drink', '{"likes": "coffee, black", "cups": 3}', user_id => 'ann');
SELECT memory.put_item('{users,ann}', 'drink', '{"likes": "green tea", "cups": 2}', user_id => 'ann', expected_version => 1);
$$),
('put_items', $$
SELECT memory.put_items('[{"path": ["users", "ann"], "key": "seat", "value": "window"},
  {"path": ["trips", "vienna"], "key": "plan", "value": {"train": "the night train at nine"}, "ttl": "30 days"}]', user_id => 'ann');
$$),
('item', $$
SELECT value, version FROM memory.item('{users,ann}', 'drink', user_id => 'ann');
$$),
('items', $$
SELECT path, key, value FROM memory.items('{users}', filter => '{"cups": {"$gte": 2}}', user_id => 'ann');
SELECT path, key, round(relevance::numeric, 2) AS relevance FROM memory.items(query => 'night train', user_id => 'ann');
$$),
('item_paths', $$
SELECT path, items FROM memory.item_paths(depth => 1, user_id => 'ann');
$$),
('touch_items', $$
SELECT memory.touch_items('{trips}', user_id => 'ann') AS touched;
$$),
('delete_items', $$
SELECT memory.delete_items('{users,ann}', keys => '{seat}', user_id => 'ann') AS deleted;
$$);
