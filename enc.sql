SET client_min_messages=error; SET memory.anonymous=allow; \set VERBOSITY sqlstate
DO $$ DECLARE i int; b bytea; t text; n int := 0; e int := 0; BEGIN
 FOR i IN 1..400 LOOP
  SELECT string_agg(set_byte('\x00'::bytea,0, (1 + (random()*254))::int),'') INTO b FROM generate_series(1, 1+(random()*60)::int + i - i);
  BEGIN t := convert_from(b, getdatabaseencoding()); EXCEPTION WHEN OTHERS THEN e:=e+1; t := 'zebra'; END;
  BEGIN
   PERFORM memory.remember(t||'x', user_id=>'e'); PERFORM * FROM memory.recall_scored(t, user_id=>'e', diversity=>0.5); PERFORM count(*) FROM memory.tokens(t); PERFORM memory.highlight(t,t); PERFORM memory.hash_embedding(t,8);
   PERFORM memory.assert_fact(t,t,t,user_id=>'e'); PERFORM * FROM memory.recall_facts(t,user_id=>'e'); PERFORM * FROM memory.traverse(ARRAY[t],user_id=>'e'); PERFORM memory.explain_recall((SELECT id FROM memory.episodes LIMIT 1), t, user_id=>'e'); PERFORM memory.normalize_predicate(t);
   PERFORM * FROM memory.episodes WHERE namespace='default' AND user_id='e' AND memory.episode_text(content,response) OPERATOR(memory.@@@) memory.websearch_query(t);
   n:=n+1;
  EXCEPTION WHEN OTHERS THEN IF SQLSTATE NOT IN ('22023','22021','22P05','22004') THEN RAISE WARNING '% % %', SQLSTATE, SQLERRM, b; END IF; END;
 END LOOP; RAISE LOG 'x'; PERFORM set_config('x.y', n||' ok '||e||' invalid', false); END $$;
SHOW x.y; SELECT * FROM memory.verify_index('memory.episodes_by_text');
