-- Scene 4. Words of every language: what a text is found by.
SELECT string_agg(token, ' ' ORDER BY ordinal, start_offset, end_offset) AS english
FROM memory.tokens('The trains were running late again');
SELECT string_agg(token, ' ' ORDER BY ordinal, start_offset, end_offset) AS chinese
FROM memory.tokens('去维也纳的夜车');
SELECT string_agg(token, ' ' ORDER BY ordinal, start_offset, end_offset) AS thai
FROM memory.tokens('รถไฟกลางคืนไปเวียนนา');

-- Identifiers are found whole and in parts.
SELECT string_agg(token, ' ' ORDER BY ordinal, start_offset, end_offset) AS identifiers
FROM memory.tokens('Mail ada@example.org about foo_bar-9, v1.2.3');
