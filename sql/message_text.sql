-- What of a message is recalled, in the shapes of each framework (docs/conversations.md, "What of a message is recalled"). The messages
-- are what its own library writes, with fewer of the keys that say nothing of text; those of Claude Code, AI SDK 4, the choice and the
-- chat messages of all kinds of parts are written by hand, after the fields that the libraries read.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
\set VERBOSITY terse

CREATE TEMPORARY TABLE sample (n int GENERATED ALWAYS AS IDENTITY, framework text, message text, role text, content text, json jsonb);

INSERT INTO sample (framework, message, role, content, json) VALUES
('OpenAI chat', 'a question', 'user', 'When is the next train?', '{"content": "When is the next train?", "role": "user"}'),
('OpenAI chat', 'parts of every kind', 'user', E'What is this?\nAnd where?',
 '{"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
   {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}, {"type": "file", "file": {"file_id": "file-1"}},
   {"type": "text", "text": "And where?"}]}'),
('OpenAI chat', 'an answer', 'assistant', 'The 9:02 goes to Vienna.',
 '{"content": "The 9:02 goes to Vienna.", "refusal": null, "role": "assistant", "annotations": null, "audio": null, "function_call": null, "tool_calls": null}'),
('OpenAI chat', 'a call', 'assistant', NULL,
 '{"content": null, "refusal": null, "role": "assistant", "tool_calls": [{"id": "call_1", "function": {"arguments": "{\"to\":\"Vienna\"}", "name": "trains"}, "type": "function"}]}'),
('OpenAI chat', 'a call with words', 'assistant', 'Let me look.',
 '{"content": "Let me look.", "role": "assistant", "tool_calls": [{"id": "call_1", "function": {"arguments": "{}", "name": "trains"}, "type": "function"}]}'),
('OpenAI chat', 'a refusal', 'assistant', NULL, '{"content": null, "refusal": "I cannot help with that.", "role": "assistant", "tool_calls": null}'),
('OpenAI chat', 'a refusal as a part', 'assistant', 'Well.',
 '{"role": "assistant", "content": [{"text": "Well.", "type": "text"}, {"refusal": "No.", "type": "refusal"}]}'),
('OpenAI chat', 'a sound', 'assistant', NULL,
 '{"content": null, "role": "assistant", "audio": {"id": "audio_1", "data": "UklGRg==", "expires_at": 1, "transcript": "Hello."}}'),
('OpenAI chat', 'developer', 'system', NULL, '{"content": "Be brief.", "role": "developer"}'),
('OpenAI chat', 'system', 'system', NULL, '{"content": "Be brief.", "role": "system"}'),
('OpenAI chat', 'tool', 'tool', NULL, '{"content": "9:02", "role": "tool", "tool_call_id": "call_1"}'),
('OpenAI chat', 'function', 'tool', NULL, '{"content": "9:02", "name": "trains", "role": "function"}'),
('OpenAI chat', 'a choice', 'assistant', 'Hello', '{"index": 0, "message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}'),

('OpenAI Responses', 'input', 'user', 'What is this?',
 '{"content": [{"text": "What is this?", "type": "input_text"}, {"detail": "auto", "type": "input_image", "image_url": "https://example.org/a.png"},
   {"type": "input_file", "file_id": "file-1"}], "role": "user", "type": "message"}'),
('OpenAI Responses', 'easy input', 'user', 'Hello', '{"content": "Hello", "role": "user"}'),
('OpenAI Responses', 'output', 'assistant', 'The 9:02.',
 '{"id": "msg_1", "content": [{"annotations": [{"end_index": 3, "start_index": 0, "title": "Times", "type": "url_citation", "url": "https://example.org"}],
   "text": "The 9:02.", "type": "output_text", "logprobs": null}, {"refusal": "No.", "type": "refusal"}], "role": "assistant", "status": "completed",
   "type": "message", "phase": null}'),
('OpenAI Responses', 'reasoning', 'assistant', NULL,
 '{"id": "rs_1", "summary": [{"text": "Looking at trains.", "type": "summary_text"}], "type": "reasoning", "content": [{"text": "Trains.", "type": "reasoning_text"}]}'),
('OpenAI Responses', 'a call', 'tool', NULL, '{"arguments": "{}", "call_id": "c1", "name": "trains", "type": "function_call", "id": null, "status": null}'),
('OpenAI Responses', 'its output', 'tool', NULL, '{"output": "9:02", "type": "function_call_output", "call_id": "c1"}'),
('OpenAI Responses', 'its output in parts', 'tool', NULL,
 '{"output": [{"text": "9:02", "type": "input_text"}], "type": "function_call_output", "call_id": "c1"}'),
('OpenAI Responses', 'a search', 'tool', NULL,
 '{"id": "ws_1", "action": {"type": "search", "queries": ["trains"], "query": "trains"}, "status": "completed", "type": "web_search_call"}'),
('OpenAI Responses', 'a call to a server', 'tool', NULL,
 '{"id": "mcp_1", "arguments": "{}", "name": "trains", "server_label": "rail", "type": "mcp_call", "output": "9:02"}'),
('OpenAI Responses', 'a reference', 'other', NULL, '{"id": "msg_1", "type": "item_reference"}'),
('OpenAI Responses', 'a compaction', 'other', NULL, '{"encrypted_content": "gAAAA", "type": "compaction"}'),

('Anthropic', 'a question', 'user', 'Hello', '{"content": "Hello", "role": "user"}'),
('Anthropic', 'blocks of every kind', 'user', 'What does it say?',
 '{"content": [{"source": {"data": "A long text.", "media_type": "text/plain", "type": "text"}, "type": "document", "title": "Terms"},
   {"source": {"data": "iVBORw0=", "media_type": "image/png", "type": "base64"}, "type": "image"},
   {"content": [{"text": "found", "type": "text"}], "source": "s", "title": "t", "type": "search_result"},
   {"text": "What does it say?", "type": "text", "cache_control": {"type": "ephemeral"}}], "role": "user"}'),
('Anthropic', 'an answer', 'assistant', 'Let me look.',
 '{"id": "msg_01", "content": [{"signature": "s", "thinking": "Trains.", "type": "thinking"}, {"data": "x", "type": "redacted_thinking"},
   {"text": "Let me look.", "type": "text"}, {"id": "toolu_1", "input": {"to": "Vienna"}, "name": "trains", "type": "tool_use"}],
   "model": "claude", "role": "assistant", "stop_reason": "tool_use", "type": "message", "usage": {"input_tokens": 1, "output_tokens": 1}}'),
('Anthropic', 'a result', 'user', NULL,
 '{"content": [{"tool_use_id": "toolu_1", "type": "tool_result", "content": [{"text": "9:02", "type": "text"}], "is_error": false}], "role": "user"}'),
('Anthropic', 'a result and words', 'user', 'Go on.',
 '{"content": [{"tool_use_id": "toolu_1", "type": "tool_result", "content": "9:02"}, {"text": "Go on.", "type": "text"}], "role": "user"}'),

('Claude Code', 'a question', 'user', 'Hello',
 '{"parentUuid": null, "isSidechain": false, "type": "user", "message": {"role": "user", "content": "Hello"}, "uuid": "u1", "timestamp": "2026-03-01T09:00:00Z"}'),
('Claude Code', 'an answer', 'assistant', 'Let me look.',
 '{"type": "assistant", "message": {"type": "message", "role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Let me look."},
   {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}]}, "uuid": "u2"}'),
('Claude Code', 'a result', 'user', NULL,
 '{"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "9:02"}]}, "toolUseResult": {"stdout": "9:02"}, "uuid": "u3"}'),
('Claude Code', 'a notice', 'system', NULL, '{"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "uuid": "u4"}'),
('Claude Code', 'a summary', 'other', NULL, '{"type": "summary", "summary": "Trains to Vienna", "leafUuid": "u3"}'),
('Claude Code', 'progress', 'other', NULL, '{"type": "progress", "data": {"type": "agent_progress", "message": {"role": "user", "content": "Hello"}}, "uuid": "u5"}'),

('LangChain', 'HumanMessage', 'user', 'Hello', '{"content": "Hello", "additional_kwargs": {}, "response_metadata": {}, "type": "human", "name": null, "id": "h1"}'),
('LangChain', 'HumanMessage, parts', 'user', E'One\nTwo',
 '{"content": ["One", {"type": "image", "url": "https://example.org/a.png"}, {"type": "text-plain", "text": "A file.", "mime_type": "text/plain"}, "Two"], "type": "human"}'),
('LangChain', 'AIMessage', 'assistant', 'Hi.',
 '{"content": [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": "Hi."}, {"type": "tool_call", "id": "t1", "name": "trains", "args": {}}],
   "type": "ai", "name": null, "id": "a1", "tool_calls": [], "invalid_tool_calls": [], "usage_metadata": null}'),
('LangChain', 'AIMessage, a call', 'assistant', NULL,
 '{"content": "", "type": "ai", "tool_calls": [{"name": "trains", "args": {}, "id": "t1", "type": "tool_call"}], "invalid_tool_calls": []}'),
('LangChain', 'AIMessageChunk', 'assistant', 'Hi.', '{"content": "Hi.", "type": "AIMessageChunk", "tool_calls": [], "tool_call_chunks": [], "chunk_position": null}'),
('LangChain', 'SystemMessage', 'system', NULL, '{"content": "Be brief.", "type": "system"}'),
('LangChain', 'ToolMessage', 'tool', NULL, '{"content": "9:02", "type": "tool", "tool_call_id": "t1", "artifact": null, "status": "success"}'),
('LangChain', 'FunctionMessage', 'tool', NULL, '{"content": "9:02", "type": "function", "name": "trains"}'),
('LangChain', 'ChatMessage of a user', 'user', 'Hello', '{"content": "Hello", "type": "chat", "name": null, "id": null, "role": "user"}'),
('LangChain', 'ChatMessage of a captain', 'other', NULL, '{"content": "Ahoy", "type": "chat", "name": null, "id": null, "role": "captain"}'),
('LangChain', 'RemoveMessage', 'other', NULL, '{"content": "", "type": "remove", "name": null, "id": "h1"}'),
('LangChain, to dict', 'HumanMessage', 'user', 'Hello', '{"type": "human", "data": {"content": "Hello", "additional_kwargs": {}, "type": "human", "name": null, "id": "h1"}}'),
('LangChain, to dict', 'AIMessage', 'assistant', 'Hi.',
 '{"type": "ai", "data": {"content": [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": "Hi."}], "type": "ai", "tool_calls": []}}'),
('LangChain, to dict', 'ToolMessage', 'tool', NULL, '{"type": "tool", "data": {"content": "9:02", "type": "tool", "tool_call_id": "t1", "status": "success"}}'),
('LangChain, to dict', 'ChatMessage', 'user', 'Hello', '{"type": "chat", "data": {"content": "Hello", "type": "chat", "role": "user"}}'),
('LangChain, stored by JS', 'ChatMessage', 'user', 'Hello', '{"type": "generic", "data": {"content": "Hello", "role": "user", "additional_kwargs": {}, "response_metadata": {}}}'),
('LangChain, serialized', 'HumanMessage', 'user', 'Hello',
 '{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "Hello", "type": "human", "id": "h1"}}'),
('LangChain, serialized', 'AIMessage', 'assistant', 'Hi.',
 '{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": [{"type": "reasoning", "reasoning": "Hm."},
   {"type": "text", "text": "Hi."}], "type": "ai", "tool_calls": [], "invalid_tool_calls": []}}'),
('LangChain, serialized', 'SystemMessage', 'system', NULL,
 '{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "SystemMessage"], "kwargs": {"content": "Be brief.", "type": "system"}}'),
('LangChain, serialized', 'ToolMessage', 'tool', NULL,
 '{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ToolMessage"], "kwargs": {"content": "9:02", "type": "tool", "tool_call_id": "t1"}}'),
('LangChain, serialized', 'ChatMessage', 'user', 'Hello',
 '{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ChatMessage"], "kwargs": {"content": "Hello", "type": "chat", "role": "user"}}'),
('LangChain, serialized by JS', 'AIMessageChunk', 'assistant', 'Hi.',
 '{"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "AIMessageChunk"], "kwargs": {"content": "Hi.", "tool_calls": [], "additional_kwargs": {}}}'),
('LangChain, serialized', 'a prompt', 'other', NULL,
 '{"lc": 1, "type": "constructor", "id": ["langchain", "prompts", "chat", "ChatPromptTemplate"], "kwargs": {"content": "Hello"}}'),

('AI SDK', 'UIMessage of a user', 'user', 'What is this?',
 '{"id": "u1", "role": "user", "parts": [{"type": "text", "text": "What is this?"}, {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,iVBORw0="}]}'),
('AI SDK', 'UIMessage of an assistant', 'assistant', E'Let me look.\nThe 9:02.',
 '{"id": "m1", "role": "assistant", "parts": [{"type": "step-start"}, {"type": "reasoning", "id": "r", "text": "Hm.", "state": "done"},
   {"type": "text", "text": "Let me look.", "state": "done"},
   {"type": "tool-trains", "toolCallId": "c1", "state": "output-available", "input": {"to": "Vienna"}, "output": {"text": "9:02"}},
   {"type": "source-url", "sourceId": "s1", "url": "https://example.org", "title": "Times"}, {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,iVBORw0="},
   {"type": "data-weather", "data": {"text": "rain"}}, {"type": "step-start"}, {"type": "text", "text": "The 9:02.", "state": "done"}]}'),
('AI SDK', 'UIMessage of version 4', 'user', 'Hello', '{"id": "u1", "createdAt": "2026-03-01T09:00:00Z", "role": "user", "content": "Hello", "parts": [{"type": "text", "text": "Hello"}]}'),
('AI SDK', 'its content alone', 'assistant', 'Hi.', '{"id": "m1", "role": "assistant", "content": "Hi.", "parts": []}'),
('AI SDK', 'ModelMessage', 'assistant', 'Let me look.',
 '{"role": "assistant", "content": [{"type": "reasoning", "text": "Hm."}, {"type": "text", "text": "Let me look."},
   {"type": "tool-call", "toolCallId": "c1", "toolName": "trains", "input": {"to": "Vienna"}}]}'),
('AI SDK', 'ModelMessage of a tool', 'tool', NULL,
 '{"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", "toolName": "trains", "output": {"type": "json", "value": {"text": "9:02"}}}]}'),

('ADK', 'a question', 'user', 'Hello',
 '{"content": {"parts": [{"text": "Hello"}], "role": "user"}, "invocation_id": "e1", "author": "user", "actions": {"state_delta": {}}, "id": "i1", "timestamp": 1.5}'),
('ADK', 'a question, every key', 'user', 'Hello',
 '{"content": {"parts": [{"text": "Hello", "thought": null, "function_call": null, "function_response": null, "inline_data": null, "file_data": null}], "role": "user"},
   "partial": null, "invocationId": "e1", "author": "user", "id": "i1", "timestamp": 1.5}'),
('ADK', 'media', 'user', 'What is this?',
 '{"content": {"parts": [{"inlineData": {"data": "YWJj", "mimeType": "image/png"}}, {"fileData": {"fileUri": "gs://a/b", "mimeType": "image/png"}}, {"text": "What is this?"}], "role": "user"},
   "invocationId": "e1", "author": "user", "id": "i1", "timestamp": 1.5}'),
('ADK', 'an answer', 'assistant', 'Let me look.',
 '{"content": {"parts": [{"text": "Hm.", "thought": true}, {"text": "Let me look."}, {"functionCall": {"args": {"to": "Vienna"}, "name": "trains"}}], "role": "model"},
   "invocationId": "e1", "author": "rail_agent", "id": "i1", "timestamp": 1.5}'),
('ADK', 'a result', 'assistant', NULL,
 '{"content": {"parts": [{"function_response": {"name": "trains", "response": {"result": "9:02"}}}], "role": "user"}, "invocation_id": "e1", "author": "rail_agent", "id": "i1"}'),
('ADK', 'code', 'assistant', NULL,
 '{"content": {"parts": [{"executableCode": {"code": "1+1", "language": "PYTHON"}}, {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2"}}], "role": "model"},
   "author": "rail_agent", "id": "i1"}'),
('ADK', 'a change of state', 'other', NULL, '{"invocation_id": "e1", "author": "rail_agent", "actions": {"state_delta": {"a": 1}}, "id": "i1", "timestamp": 1.5}'),
('ADK', 'Content', 'assistant', 'Hi.', '{"parts": [{"text": "Hi."}], "role": "model"}'),

('pydantic-ai', 'a request', 'user', 'Hello',
 '{"parts": [{"content": "Hello", "timestamp": "2026-03-01T09:00:00Z", "part_kind": "user-prompt"}], "instructions": null, "kind": "request", "run_id": null}'),
('pydantic-ai', 'a request of every part', 'user', E'What is this?\nAnd where?',
 '{"parts": [{"content": "Be brief.", "scope": "conversation", "part_kind": "system-prompt"}, {"content": ["What is this?",
   {"url": "https://example.org/a.png", "kind": "image-url", "media_type": "image/png"}, {"data": "YWJj", "media_type": "image/png", "kind": "binary"},
   {"content": "And where?", "metadata": {"a": 1}, "kind": "text-content"}], "part_kind": "user-prompt"}], "instructions": null, "kind": "request"}'),
('pydantic-ai', 'a result', 'tool', NULL,
 '{"parts": [{"tool_name": "trains", "content": "9:02", "tool_call_id": "t1", "outcome": "success", "part_kind": "tool-return"}], "kind": "request"}'),
('pydantic-ai', 'a result and words', 'user', 'Go on.',
 '{"parts": [{"tool_name": "trains", "content": {"at": "9:02"}, "tool_call_id": "t1", "part_kind": "tool-return"}, {"content": "Go on.", "part_kind": "user-prompt"}], "kind": "request"}'),
('pydantic-ai', 'a retry', 'tool', NULL,
 '{"parts": [{"content": "No such train", "tool_name": "trains", "tool_call_id": "t1", "part_kind": "retry-prompt"}], "kind": "request"}'),
('pydantic-ai', 'a system prompt', 'system', NULL, '{"parts": [{"content": "Be brief.", "part_kind": "system-prompt"}], "instructions": null, "kind": "request"}'),
('pydantic-ai', 'a request of nothing', 'other', NULL, '{"parts": [], "instructions": "Be brief.", "kind": "request"}'),
('pydantic-ai', 'a response', 'assistant', E'Let me look.\nWait.',
 '{"parts": [{"content": "Hm.", "signature": null, "part_kind": "thinking"}, {"content": "Let me look.", "part_kind": "text"},
   {"tool_name": "trains", "args": {"to": "Vienna"}, "tool_call_id": "t1", "part_kind": "tool-call"}, {"content": "Wait.", "part_kind": "text"}], "kind": "response"}'),

('agno', 'a question', 'user', 'Hello', '{"id": "m1", "content": "Hello", "from_history": false, "stop_after_tool_call": false, "role": "user", "created_at": 1}'),
('agno', 'a list', 'user', 'What is this?', '{"id": "m5", "content": [{"type": "text", "text": "What is this?"}], "from_history": false, "role": "user", "created_at": 1}'),
('agno', 'an answer', 'assistant', 'Hi.',
 '{"id": "m2", "content": "Hi.", "reasoning_content": "Hm.", "role": "assistant", "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "trains", "arguments": "{}"}}]}'),
('agno', 'a call', 'assistant', NULL, '{"id": "m3", "role": "assistant", "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "trains", "arguments": "{}"}}]}'),
('agno', 'a result', 'tool', NULL, '{"id": "m4", "content": "9:02", "role": "tool", "tool_call_id": "t1", "tool_name": "trains", "tool_args": {"to": "Vienna"}}');

\echo what is recalled
SELECT s.framework, s.message, t.role, to_json(t.content) AS content FROM sample s, memory.message_text(s.json) t ORDER BY n;
\echo what differs from what is wanted: nothing
SELECT s.framework, s.message, t.role, s.role AS wanted_role, t.content, s.content AS wanted_content
FROM sample s LEFT JOIN LATERAL memory.message_text(s.json) t ON true
WHERE (t.role, t.content) IS DISTINCT FROM (s.role, s.content) ORDER BY n;

\echo in a wrapper each says the same, unless it is a wrapper itself
SELECT s.framework, s.message FROM sample s, memory.message_text(s.json) t, memory.message_text(jsonb_build_object('message', s.json)) w
WHERE (t.role, t.content) IS DISTINCT FROM (w.role, w.content) ORDER BY n;
\echo and what stands beside it wins: there is none for which it does not
SELECT count(*) FROM sample s, memory.message_text(jsonb_build_object('message', s.json, 'role', 'human', 'content', 'beside')) t
WHERE (t.role, t.content) IS DISTINCT FROM ('user', 'beside');

CREATE FUNCTION pg_temp.said(message jsonb) RETURNS text LANGUAGE sql RETURN (SELECT role || ' ' || coalesce(to_json(content)::text, '-') FROM memory.message_text(message));
\echo a wrapper
SELECT n, pg_temp.said(json::jsonb) FROM (VALUES
    (1, '{"message": {"role": "assistant", "content": "inside"}, "role": "user"}'),
    (2, '{"message": {"role": "assistant", "content": "inside"}, "content": "beside"}'),
    (3, '{"message": {"role": "assistant", "content": "inside"}, "content": [{"type": "text", "text": "beside"}]}'),
    (4, '{"message": {"role": "assistant", "content": "inside"}, "role": null, "content": null}'),
    (5, '{"message": {"role": "assistant", "content": "inside"}, "content": []}'),
    (6, '{"message": {"role": "assistant", "content": "inside"}, "role": "captain"}'),
    (7, '{"message": {"role": "assistant", "content": "inside"}, "role": "tool"}'),
    (8, '{"message": {"content": "no role of its own"}, "role": "user"}'),
    (9, '{"message": {}, "role": "user", "content": "beside"}'),
    (10, '{"message": {"message": {"role": "user", "content": "too deep"}}}'),
    (11, '{"message": "no object", "role": "user", "content": "plain"}'),
    (12, '{"message": [{"role": "user", "content": "no object"}]}')) v (n, json) ORDER BY n;
\echo parts, blanks, and values of other types
SELECT n, pg_temp.said(json::jsonb) FROM (VALUES
    (1, '{"role": "user", "content": [{"type": "text", "text": ""}, {"type": "text", "text": "a"}, {"type": "text", "text": ""}, "b", {"text": "c"}]}'),
    (2, '{"role": "user", "content": [{"type": "text", "text": " a "}, {"type": "text", "text": " \n"}, {"type": "text", "text": "b"}]}'),
    (3, '{"role": "user", "content": ""}'), (4, '{"role": "user", "content": " \t\r\n\f\u000b"}'), (5, '{"role": "user"}'), (6, '{"role": "user", "content": {}}'),
    (7, '{"role": "user", "content": {"type": "text", "text": "one part"}}'), (8, '{"role": "user", "content": 5}'),
    (9, '{"role": "user", "content": [5, null, true, [], {}, [["deep"]], {"type": 5, "text": "no"}, {"type": "text", "text": 5}, {"type": "text"}]}'),
    (10, '{"role": "User", "content": "a"}'), (11, '{"role": 5, "content": "a"}'), (12, '{"role": "", "content": "a"}'), (13, '{"content": "a"}'),
    (14, '{}'), (15, '[]'), (16, '[{"role": "user", "content": "a"}]'), (17, '"a"'), (18, '5'), (19, 'true'), (20, 'null'),
    (21, '{"role": "human", "content": "ü\u2028\u0085\ud83d\ude86"}')) v (n, json) ORDER BY n;
\echo NULL has no row, in the select list neither
SELECT * FROM memory.message_text(NULL);
SELECT 1 AS one, memory.message_text(NULL);
SELECT memory.message_text('{"role": "user", "content": "a"}') FROM generate_series(1, 2);

\echo what is deep and what is long
SELECT pg_temp.said((repeat('{"message": ', 3000) || '{"role": "user", "content": "a"}' || repeat('}', 3000))::jsonb) AS wrappers,
    pg_temp.said(('{"role": "user", "content": ' || repeat('[', 3000) || '"a"' || repeat(']', 3000) || '}')::jsonb) AS lists,
    pg_temp.said(('{"role": "user", "content": ' || repeat('{"parts": [', 1500) || '"a"' || repeat(']}', 1500) || '}')::jsonb) AS parts;
SELECT role, length(content), content LIKE E'0\n1\n%\n99999' AS whole FROM memory.message_text(
    (SELECT jsonb_build_object('role', 'user', 'content', jsonb_agg(jsonb_build_object('type', 'text', 'text', n::text) ORDER BY n)) FROM generate_series(0, 99999) n));
SELECT role, length(content) FROM memory.message_text(jsonb_build_object('role', 'user', 'content', repeat('x', 20000000)));
SELECT provolatile, proisstrict, proparallel FROM pg_proc WHERE oid = 'memory.message_text(jsonb)'::regprocedure;
