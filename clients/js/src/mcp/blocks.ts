// Blocks as files: names with slashes are paths, names without are pinned in prompts. They are resources, too.
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Memory } from '../memory.js';
import type { Block } from '../types.js';
import { answer, Refused, told } from './answer.js';

const READS = { readOnlyHint: true, openWorldHint: false };
const CHANGES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };
const name = z.string().describe('A name such as persona, or a path such as notes/trips/vienna.md');
const uriOf = (one: string) => `memory://blocks/${encodeURIComponent(one)}`;
const shown = ({ name: called, version, chars, charLimit, readOnly, updatedAt }: Block) =>
  ({ name: called, directory: version === null, version, chars, char_limit: charLimit, read_only: readOnly, updated_at: updatedAt.text });

export function registerBlocks(server: McpServer, memory: Memory): void {
  const { blocks } = memory;

  server.registerTool('list_blocks', {
    description: 'The blocks: named texts that are pinned in prompts, and files. Below a directory, or all.',
    inputSchema: { directory: z.string().optional(), depth: z.number().int().min(1).optional().describe('So many levels; what is deeper is one line per directory') },
    annotations: READS,
  }, told(async ({ directory, depth }) => answer({ blocks: (await blocks.list({ prefix: directory, depth, withContent: false })).map(shown) })));

  server.registerTool('read_block', { description: 'A block, whole.', inputSchema: { name }, annotations: READS }, told(async ({ name: called }) => {
    const block = await blocks.get(called);
    if (!block) throw new Refused(`There is no block "${called}".`);
    return answer({ ...shown(block), content: block.content }, block.content ?? '');
  }));

  server.registerTool('write_block', {
    description: 'Write a block, new or in the place of what it says. Earlier versions are kept.',
    inputSchema: {
      name, content: z.string(), expected_version: z.number().int().min(0).optional().describe('The version that was read; 0 if there must be none yet'),
    },
    annotations: CHANGES,
  }, told(async ({ name: called, content, expected_version: expectedVersion }) => answer({ version: await blocks.set(called, content, { expectedVersion }) })));

  server.registerTool('append_block', {
    description: 'Add to the end of a block; it is made when it is missing.',
    inputSchema: { name, content: z.string(), separator: z.string().optional().describe('Between what there is and what is added') },
    annotations: { ...CHANGES, destructiveHint: false },
  }, told(async ({ name: called, content, separator }) => answer({ version: await blocks.append(called, content, { separator }) })));

  server.registerTool('edit_block', {
    description: 'Replace the one place where `old` stands, or insert after a line (0 is the top).',
    inputSchema: { name, new: z.string(), old: z.string().optional(), line: z.number().int().min(0).optional() },
    annotations: CHANGES,
  }, told(async ({ name: called, new: text, old, line }) => answer({ version: await blocks.edit(called, text, { old, line }) })));

  server.registerTool('rename_block', {
    description: 'Give a block, or a directory with what is in it, another name.',
    inputSchema: { name, new_name: z.string() },
    annotations: { ...CHANGES, destructiveHint: false },
  }, told(async ({ name: called, new_name: newName }) => answer({ renamed: await blocks.rename(called, newName) })));

  server.registerTool('delete_block', {
    description: 'Delete a block with its history; a directory only with recursive.',
    inputSchema: { name, recursive: z.boolean().optional() },
    annotations: CHANGES,
  }, told(async ({ name: called, recursive }) => answer({ deleted: await blocks.delete(called, { recursive }) })));
}

export function registerResources(server: McpServer, memory: Memory): void {
  const list = async () => ({
    resources: (await memory.blocks.list({ withContent: false })).map((block) => ({ uri: uriOf(block.name), name: block.name, mimeType: 'text/plain', size: block.chars })),
  });
  const complete = { name: async (start: string) => (await memory.blocks.list({ withContent: false })).map((block) => block.name).filter((one) => one.startsWith(start)) };
  server.registerResource('block', new ResourceTemplate('memory://blocks/{name}', { list, complete }), {
    title: 'Blocks', description: 'Named texts: pinned in prompts, or files', mimeType: 'text/plain',
  }, async (uri, { name: called }) => {
    const block = await memory.blocks.get(decodeURIComponent(String(called)));
    if (!block) throw new McpError(ErrorCode.InvalidParams, `There is no block ${uri.href}`);
    return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: block.content ?? '' }] };
  });
}
