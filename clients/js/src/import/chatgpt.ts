// ChatGPT's export: a conversation is a tree of nodes (`mapping`), of which `current_node` ends the branch that its user sees. Nodes without a
// message, hidden and system messages, and what assistants and tools tell each other are beside the conversation.
import { fieldsOf, isFields, jsonOf, LeftOut, listOf, NoConversation, textOf, timeOf, type Conversation, type Fields, type Role, type Said } from './conversation.js';

// From the root to the end of the branch. Without a `current_node` that is there, the last child of each node is followed.
function branch(mapping: Fields, current: unknown): Fields[] {
  const nodes: Fields[] = [], seen = new Set<unknown>();
  let id = typeof current === 'string' && isFields(mapping[current]) ? current : lastLeaf(mapping);
  while (id !== undefined && isFields(mapping[id]) && !seen.has(id)) {
    seen.add(id);
    const node = mapping[id] as Fields;
    nodes.push(node);
    id = textOf(node.parent) ?? undefined;
  }
  return nodes.reverse();
}

function lastLeaf(mapping: Fields): string | undefined {
  const seen = new Set<string>();
  let leaf: string | undefined;
  let next = Object.keys(mapping).find((one) => !isFields(mapping[textOf(fieldsOf(mapping[one]).parent) ?? '']));
  while (next !== undefined && isFields(mapping[next]) && !seen.has(next)) {
    seen.add(next);
    leaf = next;
    next = listOf(fieldsOf(mapping[leaf]).children).findLast((child): child is string => typeof child === 'string');
  }
  return leaf;
}

// What is written and spoken is text; images and sounds stay as the pointers that they are. An empty text is nothing.
function partsOf(content: Fields): Fields[] {
  const parts = listOf(content.parts).map((part) => {
    if (typeof part === 'string') return { type: 'text', text: part };
    return fieldsOf(part).content_type === 'audio_transcription' ? { ...fieldsOf(part), type: 'text' } : fieldsOf(part);
  });
  return parts.filter((part: Fields) => part.type !== 'text' || textOf(part.text)?.trim());
}

const SPOKEN = new Set(['text', 'multimodal_text']);

// Why a message is none of the conversation.
function reason(message: Fields, content: Fields): string | null {
  const role = fieldsOf(message.author).role;
  if (fieldsOf(message.metadata).is_visually_hidden_from_conversation === true || message.weight === 0) return 'hidden';
  if (role === 'system') return 'of the system';
  if (role === 'tool') return 'of tools';
  if (role !== 'user' && role !== 'assistant') return 'of an unknown role';
  if (![undefined, null, 'all'].includes(message.recipient as string | null | undefined)) return 'to tools';
  return SPOKEN.has(String(content.content_type)) ? null : 'not spoken (code, thoughts, pages)';
}

export function chatgpt(element: unknown): Conversation {
  const fields = fieldsOf(element), id = textOf(fields.conversation_id) ?? textOf(fields.id);
  if (!id || !isFields(fields.mapping)) throw new NoConversation('it has no conversation_id and mapping, as those of ChatGPT do');
  const leftOut = new LeftOut(), messages: Said[] = [], createdAt = timeOf(fields.create_time);
  const nodes = branch(fields.mapping, fields.current_node);
  const all = Object.values(fields.mapping).filter((node) => isFields(fieldsOf(node).message)).length;
  leftOut.add('of branches that were left', all - nodes.filter((node) => isFields(node.message)).length);
  let last = createdAt;
  for (const node of nodes) {
    if (!isFields(node.message)) continue; // the root, as a rule
    const { message } = node, content = fieldsOf(message.content), parts = partsOf(content);
    const why = reason(message, content) ?? (parts.length ? null : 'empty');
    if (why) {
      leftOut.add(why);
      continue;
    }
    last = timeOf(message.create_time) ?? last;
    const role = fieldsOf(message.author).role as Role, model = textOf(fieldsOf(message.metadata).model_slug);
    const key = textOf(message.id) ?? textOf(node.id) ?? `${messages.length}`;
    messages.push({ key, occurred_at: last ?? new Date(0).toISOString(), message: { role, content: jsonOf(parts), ...model && { model } } });
  }
  return { id, title: textOf(fields.title), createdAt, updatedAt: timeOf(fields.update_time), messages, leftOut: leftOut.counts };
}
