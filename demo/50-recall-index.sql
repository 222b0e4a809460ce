-- Scene 7. The recall index, on any table: ranked search within a scope, by that scope's own statistics.
CREATE TABLE notes (id int PRIMARY KEY, customer int, body text);
INSERT INTO notes VALUES
    (1, 42, 'The night train to Vienna leaves at 21:05'),
    (2, 42, 'Invoices for trains go to accounting'),
    (3, 42, 'A window seat, please'),
    (4, 43, 'Night trains, night trains and night trains');
CREATE INDEX notes_recall ON notes USING recall (customer, body);

SELECT id, body, round(memory.score(body, 'night trains')::numeric, 3) AS score
FROM notes WHERE customer = 42 ORDER BY memory.score(body, 'night trains') LIMIT 3;

-- Customer 43's rows change nothing for customer 42, and their words are as rare as 42's own texts say.
SELECT id, body FROM notes WHERE customer = 42 AND memory.found(body, 'trains');

-- What must be there, what must not, a phrase, the beginning of a word.
SELECT id, body FROM notes WHERE customer = 42 AND memory.found(body, '+train* -invoice "night train"');
