-- memory.websearch_query and operator @@@ on plans without an index; queries as values.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;

-- The example of the contract.
CREATE TABLE bills (id int PRIMARY KEY, tenant_id int, body text);
INSERT INTO bills VALUES
    (1, 42, 'Invoice 7, net 30, payable in May'),
    (2, 42, 'Invoice 8, net 30, paid in May'),
    (3, 42, 'Invoice 9, net of 30 percent'),
    (4, 42, 'a payslip, and nothing else'),
    (5, 42, 'the invoices of the year'),
    (6, 42, NULL);
SELECT id FROM bills WHERE tenant_id = 42 AND body @@@ memory.websearch_query('+invoice -paid "net 30" pay*') ORDER BY id;
SELECT id FROM bills WHERE body @@@ memory.websearch_query('"net 30"') ORDER BY id;
SELECT id FROM bills WHERE body @@@ memory.websearch_query('pay*') ORDER BY id;
SELECT id FROM bills WHERE body @@@ memory.websearch_query('-paid') ORDER BY id;
SELECT id FROM bills WHERE body @@@ memory.websearch_query('invoice payslip -"net 30"') ORDER BY id;

-- Each case: a query, a text, whether it matches.
CREATE TABLE cases (n int GENERATED ALWAYS AS IDENTITY, query text, body text, expected boolean);
INSERT INTO cases (query, body, expected) VALUES
    -- words
    ('late invoices', 'an invoice', true), ('late invoices', 'nothing', false), ('', 'text', false), (' ', 'text', false),
    ('the', 'the cat', true), ('the dog', 'the cat', false), ('late', '', false),
    -- must and must not
    ('+late +invoice', 'late invoice', true), ('+late +invoice', 'late', false), ('+late invoice', 'late', true),
    ('+late invoice', 'invoice', false), ('late -invoice', 'late', true), ('late -invoice', 'late invoices', false),
    ('-late', 'early', false), ('-late -never', 'early', false), ('+the +cat', 'cat', false), ('+the +cat', 'the cat', true),
    ('cat -the', 'the cat', false), ('cat -the', 'a cat', true), ('+?? cat', 'cat', true), ('-!! cat', 'cat', true),
    -- a mark needs a word, and two are none
    ('+ cat', 'dog', false), ('- cat', 'cat', true), ('--help', 'help', true), ('cat -- help', 'help', true),
    ('+-cat', 'cat', true), ('-5', '5', false), ('cat -5', 'cat 5', false), ('cat - 5', 'cat 5', true),
    -- an operator counts only at the beginning of a word
    ('foo-bar', 'foo', true), ('foo-bar', 'bar', true), ('+foo-bar', 'foo bar', false), ('+foo-bar', 'a foo-bar', true),
    ('foo -foo-bar', 'foo bar', true), ('foo -foo-bar', 'foo-bar', false), ('C++', 'in C++', true), ('+C++', 'in C', false),
    ('+C++ -c', 'C++', false), ('foo+bar', 'bar', true), ('+jo@example.org', 'write to jo@example.org!', true),
    ('+jo@example.org', 'jo and example.org', false), ('5" nails', '5 mm', true), ('say"so later"', 'later', true),
    -- phrases
    ('"net 30"', 'net 30', true), ('"net 30"', '30 net', false), ('"net 30"', 'net 3 30', false),
    ('"late invoices"', 'a late invoice', true), ('"bank of england"', 'the Bank of England', true),
    ('"bank of england"', 'bank england', false), ('"to be or not to be"', 'To be, or not to be', true),
    ('"to be or not to be"', 'or not to be', false), ('+"net 30" due', 'net 30', true), ('+"net 30" due', 'due', false),
    ('due -"net 30"', 'due net 30', false), ('due -"net 30"', 'due 30 net', true), ('"net 30', 'so net 30', true),
    ('"', 'text', false), ('""', 'text', false), ('+"" text', 'text', true), ('"net"30', 'only 30', true),
    ('"foo-bar baz"', 'a foo-bar baz', true), ('"foo-bar baz"', 'a foo bar baz', true), ('"to-do list"', 'to do list', true), ('"to do list"', 'a to-do list', true), ('"a+b -c"', 'a b c', true),
    -- prefixes
    ('pay*', 'payable', true), ('pay*', 'paid', false), ('pay*', 'repay', false), ('PAY*', 'Payable', true),
    ('invoice*', 'two invoices', true), ('invoice*', 'invoicing', true), ('caf*', 'Café', true), ('CAFÉ*', 'cafeteria', true),
    ('+pay* due', 'due', false), ('due -pay*', 'due payable', false), ('due -pay*', 'due', true), ('*', 'text', false),
    ('the*', 'the', false), ('the*', 'theatre', true), ('th* the', 'the', false), ('foo-b*', 'foo-bar', true),
    ('foo-b*', 'foo baz', false), ('john@exa*', 'john@example.org', true), ('C++*', 'C++', true), ('pay**', 'payable', true),
    -- misspelt words
    ('viena~', 'to Vienna', true), ('viena', 'to Vienna', false), ('viena~', 'to Venice', false), ('vienna~', 'to Vienna', true), ('freind~', 'two friends', true), ('tea~', 'ten', false),
    ('tea~', 'tea', true), ('+viena~ +night', 'a night in Vienna', true), ('+viena~ +night', 'Vienna', false), ('night -viena~', 'a night in Vienna', false), ('night -viena~', 'a night', true),
    ('house~', 'mouse', true), ('becaus~', 'because', false), ('1234~', '1235', false), ('viena~~', 'Vienna', true), ('~', 'text', false), ('a~b', 'b', true), ('"viena~"', 'Vienna', false),
    ('+fodo-bra~', 'food bar', false), ('москав~', 'Москва', true),
    ('pa*y', 'y', true), ('net "pay*"', 'pay', true), ('net "pay*"', 'payable', false);
-- Texts that only UTF-8 has.
INSERT INTO cases (query, body, expected) VALUES
    ('東京都', '東京', true), ('+東京都', '東京', false), ('+東京都', '東京都庁', true), ('"東京都"', '東京都庁', true),
    ('"東京都"', '京都と東京', false), ('"東京"', '東 京', false), ('猫', '黒猫', true), ('"猫"', '黒猫', true), ('+猫', '黒猫', true),
    ('"黒い 猫"', '黒い猫', true), ('-東京 大阪', '東京と大阪', false), ('-東京 大阪', '大阪', true), ('東*', '東京', true), ('東*', '関東', false),
    ('東京都*', '東京都庁', true), ('東京都*', '京都', false), ('東京　+大阪', '東京', false), ('東京　+大阪', '大阪', true),
    ('＋東京 大阪', '大阪', true), ('“net 30”', '30', true), ('việ*', 'tiếng Việt', true), ('п''ят*', 'п''ять', true),
    ('"👍 ok"', '👍 ok', true), ('Straß*', 'STRASSE', true), ('صبا*', 'صَبَاح', true);
SELECT n, query, body, expected FROM cases WHERE body @@@ memory.websearch_query(query) <> expected ORDER BY n;
SELECT count(*) > 90 AS many FROM cases;

-- Without operators it is memory.query.
SELECT DISTINCT q.query FROM cases q, cases b
WHERE q.query !~ '["*~]|(^|\s|　)[-+]' AND
      (b.body @@@ memory.websearch_query(q.query)) <> (b.body @@@ memory.query(q.query));
-- In memory.query no character is special.
SELECT 'paid' @@@ memory.query('-paid') AS dash, 'payable' @@@ memory.query('pay*') AS star, '30 net' @@@ memory.query('"net 30"') AS quotes;

-- NULLs, and one plan with many queries.
SELECT memory.websearch_query(NULL) IS NULL AS no_query, NULL @@@ memory.websearch_query('a') IS NULL AS no_text;
SELECT q, array_agg(id ORDER BY id) FROM bills, unnest(ARRAY['+net -paid', 'paid', '+net -paid', '"of the year"', 'invoi*']) q
WHERE body @@@ memory.websearch_query(q) GROUP BY q ORDER BY q COLLATE "C";
PREPARE search(text) AS SELECT count(*) FROM bills WHERE body @@@ memory.websearch_query($1);
EXECUTE search('+invoice');
EXECUTE search('+invoice -paid');
SET plan_cache_mode = force_generic_plan;
EXECUTE search('+invoice');
EXECUTE search('+invoice -paid');
RESET plan_cache_mode;

-- An index finds the same rows; a phrase it lets the texts decide.
CREATE INDEX bills_recall ON bills USING recall (tenant_id, body);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM bills WHERE tenant_id = 42 AND body @@@ memory.websearch_query('+invoice -paid');
SELECT q, array(SELECT id FROM bills WHERE tenant_id = 42 AND body @@@ memory.websearch_query(q) ORDER BY id) AS by_index,
    array(SELECT id FROM bills WHERE tenant_id = 42 AND memory_internal.matches(body, memory.websearch_query(q)) ORDER BY id) AS by_text
FROM unnest(ARRAY['+invoice', '+invoice -paid', '"net 30"', '-paid', 'pay*', '+pay* invoice', '-"net 30" invoice', '"30 net"', '']) q;
-- Ordered: those that match first, then the scope's other rows.
SELECT id, (body <@> memory.websearch_query('+invoice -paid'))::numeric(8, 4) AS distance FROM bills WHERE tenant_id = 42
ORDER BY body <@> memory.websearch_query('+invoice -paid');
-- Ordered by words, filtered by a phrase.
SELECT id, (body <@> memory.query('invoice'))::numeric(8, 4) AS distance FROM bills
WHERE tenant_id = 42 AND body @@@ memory.websearch_query('"net 30"') ORDER BY body <@> memory.query('invoice');
-- Ordered by a phrase: whether it is there is for the text to say.
SELECT id, body, (body <@> memory.websearch_query('"net 30" year'))::numeric(8, 4) AS distance FROM bills
WHERE tenant_id = 42 ORDER BY body <@> memory.websearch_query('"net 30" year');
RESET enable_seqscan;
DROP INDEX bills_recall;

-- A query as a value: what is written out is read back as it was, also when a text looks like a mark.
CREATE TABLE saved (id int, wanted memory.query);
INSERT INTO saved VALUES (1, memory.query('plain + text'::text)), (2, memory.websearch_query('+must "a phrase"')),
    (3, 'plain by cast'), (4, 'memory.websearch_query:+must -not'), (5, memory.query('memory.websearch_query:text'::text)),
    (6, memory.query('memory.query:text'::text)), (7, memory.query(''::text)), (8, memory.websearch_query('')), (9, NULL),
    (10, memory.websearch_query('memory.query:text')), (11, memory.query(repeat('long words ', 5000)));
SELECT id, left(wanted::text, 60) AS written FROM saved ORDER BY id;
SELECT count(*) AS changed FROM saved WHERE memory_internal.query_send(wanted::text::memory.query) <> memory_internal.query_send(wanted);
SELECT id, encode(substr(memory_internal.query_send(wanted), 1, 12), 'escape') AS sent FROM saved WHERE id < 4 ORDER BY id;
INSERT INTO saved VALUES (12, memory.websearch_query('+invoice -paid')), (13, memory.query('paid payslip'));
SELECT s.id, array_agg(b.id ORDER BY b.id) AS found FROM saved s JOIN bills b ON b.body @@@ s.wanted GROUP BY s.id ORDER BY s.id;

-- A bare literal is a cast to the type; a text is none.
SELECT memory.query('memory.websearch_query:pay*')::text AS literal, memory.query('memory.websearch_query:pay*'::text)::text AS text;

-- The same in binary.
\set file `mktemp`
\setenv QUERY_FILE :file
CREATE TEMPORARY TABLE restored (LIKE saved);
\copy saved TO PROGRAM 'cat > "$QUERY_FILE"' (FORMAT binary)
\copy restored FROM PROGRAM 'cat "$QUERY_FILE"' (FORMAT binary)
\! rm "$QUERY_FILE"
SELECT count(*) AS rows, count(*) FILTER (WHERE memory_internal.query_send(s.wanted) IS NOT DISTINCT FROM memory_internal.query_send(r.wanted)) AS equal
FROM saved s JOIN restored r USING (id);

DROP TABLE bills, cases, saved;
