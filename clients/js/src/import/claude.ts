// Claude's export: a conversation is a list of messages with blocks. Where messages name their parents, the branch of the last one is taken. Text
// that was pasted or taken out of files is an attachment: it is kept with its message, and not recalled.
import { fieldsOf, isFields, jsonOf, LeftOut, listOf, NoConversation, textOf, timeOf, type Conversation, type Fields, type Role, type Said } from './conversation.js';

const ROLES: Record<string, Role> = { human: 'user', user: 'user', assistant: 'assistant' };

// In the order of the list; without parents it is the whole list.
function branch(messages: Fields[]): Fields[] {
  const byId = new Map(messages.map((message) => [message.uuid, message]));
  if (!messages.some((message) => byId.has(message.parent_message_uuid))) return messages;
  const taken = new Set<Fields>();
  for (let one = messages.at(-1); one && !taken.has(one); one = byId.get(one.parent_message_uuid)) taken.add(one);
  return messages.filter((message) => taken.has(message));
}

// Blocks of text; `text` beside them repeats them, with notes on blocks of other kinds, and is all that older exports have.
function spoken(message: Fields): string {
  const texts = listOf(message.content).map((block) => (fieldsOf(block).type === 'text' ? textOf(fieldsOf(block).text) : null)).filter((text) => text?.trim());
  return texts.length || listOf(message.content).length ? texts.join('\n') : textOf(message.text) ?? '';
}

function attached(message: Fields): Fields[] {
  return [...listOf(message.attachments), ...listOf(message.files)].filter(isFields)
    .map(({ file_name, file_type, file_size, extracted_content }) => ({ file_name, file_type, file_size, extracted_content }));
}

export function claude(element: unknown): Conversation {
  const fields = fieldsOf(element), id = textOf(fields.uuid);
  if (!id || !Array.isArray(fields.chat_messages)) throw new NoConversation('it has no uuid and chat_messages, as those of Claude do');
  const leftOut = new LeftOut(), messages: Said[] = [], createdAt = timeOf(fields.created_at);
  const all = fields.chat_messages.filter(isFields), taken = branch(all);
  leftOut.add('of branches that were left', all.length - taken.length);
  let last = createdAt;
  for (const message of taken) {
    const role = ROLES[String(message.sender)], content = spoken(message), attachments = attached(message);
    last = timeOf(message.created_at) ?? last;
    if (!role || (!content.trim() && !attachments.length)) {
      leftOut.add(role ? 'empty' : 'of an unknown role');
      continue;
    }
    leftOut.add('blocks of tools and thoughts', listOf(message.content).filter((block) => fieldsOf(block).type !== 'text').length);
    messages.push({
      key: textOf(message.uuid) ?? `${messages.length}`, occurred_at: last ?? new Date(0).toISOString(),
      message: { role, content, ...attachments.length && { attachments: jsonOf(attachments) } },
    });
  }
  return { id, title: textOf(fields.name), createdAt, updatedAt: timeOf(fields.updated_at), messages, leftOut: leftOut.counts };
}
