// Exports as ChatGPT and Claude make them, with what is odd about them, and a long one.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { deflateRawSync } from 'node:zlib';

const BEGIN = 1772442000.123456; // 2026-03-02T09:00:00Z and a fraction

// A tree of ChatGPT: messages one below the other, and those of `branches` below the node that they name.
export function chatgptConversation(id, messages, { branches = [], ...more } = {}) {
  const mapping = { root: { id: 'root', message: null, parent: null, children: [] } };
  const add = (message, parent) => {
    mapping[message.id] = { id: message.id, message, parent, children: [] };
    mapping[parent]?.children.push(message.id);
    return message.id;
  };
  let last = 'root';
  for (const message of messages) last = add(message, last);
  for (const { below, message } of branches) add(message, below);
  return { title: `About ${id}`, create_time: BEGIN, update_time: BEGIN + 60, mapping, current_node: last, conversation_id: id, id, moderation_results: [], plugin_ids: null, ...more };
}

export function chatgptMessage(id, role, parts, more = {}) {
  return {
    id, author: { role, name: null, metadata: {} }, create_time: BEGIN + 1, update_time: null, status: 'finished_successfully', end_turn: null, weight: 1,
    content: { content_type: 'text', parts }, metadata: {}, recipient: 'all', ...more,
  };
}

export const chatgptExport = () => [
  chatgptConversation('odd', [
    chatgptMessage('s1', 'system', [''], { metadata: { is_visually_hidden_from_conversation: true } }),
    chatgptMessage('u0', 'user', undefined, { content: { content_type: 'user_editable_context', user_profile: 'secret profile', user_instructions: '' }, metadata: { is_visually_hidden_from_conversation: true } }),
    chatgptMessage('u1', 'user', ['Which night train goes to Vienna?']),
    chatgptMessage('a1', 'assistant', undefined, { content: { content_type: 'code', language: 'python', text: 'search("Vienna")' }, recipient: 'python' }),
    chatgptMessage('t1', 'tool', undefined, { author: { role: 'tool', name: 'python', metadata: {} }, content: { content_type: 'execution_output', text: '21:05 platform 7' } }),
    chatgptMessage('a2', 'assistant', undefined, { content: { content_type: 'thoughts', thoughts: [{ summary: 'Thinking', content: 'A timetable' }] } }),
    chatgptMessage('a3', 'assistant', ['The sleeper at 21:05. \u0000 \ud83d'], { create_time: null, metadata: { model_slug: 'gpt-9' } }),
    chatgptMessage('u2', 'user', undefined, { create_time: BEGIN + 10.5, content: { content_type: 'multimodal_text', parts: [
      { content_type: 'image_asset_pointer', asset_pointer: 'file-service://x', size_bytes: 5, width: 1, height: 1 }, 'Is this the platform?', { content_type: 'audio_transcription', text: 'spoken words' }] } }),
    chatgptMessage('u3', 'user', undefined, { content: { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://y' }] } }),
    chatgptMessage('a4', 'assistant', ['']),
    chatgptMessage('a5', 'assistant', ['Yes: 緑茶 🍵, "quoted" \\ [brackets] {braces}']),
  ], { branches: [{ below: 'u1', message: chatgptMessage('a9', 'assistant', ['An answer that was regenerated.']) }] }),
  chatgptConversation('no end', [chatgptMessage('u1', 'user', ['first']), chatgptMessage('a1', 'assistant', ['old']) ], { current_node: null, branches: [{ below: 'u1', message: chatgptMessage('a2', 'assistant', ['new']) }] }),
  chatgptConversation('empty', [chatgptMessage('s1', 'system', [''])], { title: null }),
  { nothing: 'of a conversation' },
];

const at = (minute) => `2026-03-02T09:${String(minute).padStart(2, '0')}:00.123456Z`;
const claudeMessage = (uuid, sender, content, more = {}) => ({ uuid, text: '', content, sender, created_at: at(1), updated_at: at(1), attachments: [], files: [], ...more });
const block = (text) => ({ start_timestamp: at(1), stop_timestamp: at(1), type: 'text', text, citations: [] });

export const claudeExport = () => [
  {
    uuid: 'odd', name: 'Trains', summary: '', created_at: at(0), updated_at: at(9), account: { uuid: 'x' },
    chat_messages: [
      claudeMessage('m1', 'human', [block('Which night train goes to Vienna?')], { text: 'Which night train goes to Vienna?', attachments: [{ file_name: 'paste.txt', file_size: 9, file_type: 'txt', extracted_content: 'pasted timetable' }] }),
      claudeMessage('m2', 'assistant', [{ type: 'thinking', thinking: 'hm' }, block('Let me look.'), { type: 'tool_use', name: 'search', input: {} }, { type: 'tool_result', content: [] }, block('The one at 21:05.')],
        { text: 'Let me look.\n```\nThis block is not supported on your current device yet.\n```\nThe one at 21:05.', created_at: at(2) }),
      claudeMessage('m3', 'human', [], { text: 'An older export has text alone.' }),
      claudeMessage('m4', 'human', [], { files: [{ file_name: 'ticket.png' }] }),
      claudeMessage('m5', 'assistant', [block('  ')]),
    ],
  },
  {
    uuid: 'branches', name: '', created_at: at(0), updated_at: at(9),
    chat_messages: [
      claudeMessage('b1', 'human', [block('first')], { parent_message_uuid: '00000000-0000-4000-8000-000000000000' }),
      claudeMessage('b2', 'assistant', [block('old')], { parent_message_uuid: 'b1' }), claudeMessage('b3', 'assistant', [block('new')], { parent_message_uuid: 'b1' })],
  },
  { uuid: 'nothing said', name: '', created_at: at(0), updated_at: at(0), chat_messages: [] },
];

// `bytes` of conversations, most of them in what is not taken, as in exports.
export async function longExport(path, bytes, conversations) {
  const file = createWriteStream(path), padding = 'x'.repeat(Math.floor(bytes / conversations));
  for (let n = 0; n < conversations; n += 1) {
    const one = chatgptConversation(`c${n}`, [
      chatgptMessage('s', 'system', [padding]), chatgptMessage('u', 'user', [`question ${n}`]), chatgptMessage('a', 'assistant', [`answer ${n} \ud83d\ude82`])]);
    if (!file.write(`${n ? ',\n' : '['}${JSON.stringify(one)}`)) await once(file, 'drain');
  }
  file.end(']');
  await once(file, 'close');
}

// A zip archive of texts, packed, with a comment at its end.
export function zipOf(files) {
  const parts = [], directory = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text), packed = deflateRawSync(data), header = Buffer.alloc(30), entry = Buffer.alloc(46);
    header.writeUInt32LE(0x04034b50, 0);
    entry.writeUInt32LE(0x02014b50, 0);
    for (const [buffer, place] of [[header, 6], [entry, 8]]) {
      buffer.writeUInt16LE(8, place + 2);
      buffer.writeUInt32LE(packed.length, place + 12);
      buffer.writeUInt32LE(data.length, place + 16);
      buffer.writeUInt16LE(Buffer.byteLength(name), place + 20);
    }
    entry.writeUInt32LE(offset, 42);
    parts.push(header, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(22), list = Buffer.concat(directory);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(7, 20);
  return Buffer.concat([...parts, list, end, Buffer.from('comment')]);
}
