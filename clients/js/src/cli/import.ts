// memory-postgresql import: what it does while it does it, on a terminal, and at its end.
import type { Memory } from '../memory.js';
import { Import, type Progress, type Vendor } from '../import/run.js';

const count = (number: number) => number.toLocaleString('en');
const WIDTH = 30;

function bar({ part, conversations, written, unchanged, failed }: Progress): string {
  const full = Math.round(part * WIDTH);
  return `\r[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}] ${Math.floor(part * 100)} %  ${count(conversations)} conversations: ${count(written)} written, ${count(unchanged)} known, ${count(failed.length)} failed `;
}

function report({ conversations, written, unchanged, messages, leftOut, failed }: Progress): string {
  return [
    `${count(conversations)} conversations: ${count(written)} written with ${count(messages)} messages, ${count(unchanged)} known already, ${count(failed.length)} failed`,
    ...Object.entries(leftOut).map(([why, number]) => `  left out: ${count(number)} ${why}`),
    ...failed.map(({ conversation, reason }) => `  failed: ${conversation}: ${reason}`), '',
  ].join('\n');
}

/** 1 where a conversation was not written. */
export async function importFile(memory: Memory, vendor: Vendor, path: string): Promise<number> {
  const terminal = process.stderr.isTTY;
  const running = new Import(memory, vendor, (progress) => { if (terminal) process.stderr.write(bar(progress)); });
  try {
    const progress = await running.run(path);
    if (terminal) process.stderr.write('\n');
    process.stdout.write(report(progress));
    return progress.failed.length ? 1 : 0;
  } catch (error) {
    const { written, unchanged } = running.progress;
    const { message, hint } = error as { message: string; hint?: string };
    throw Object.assign(new Error(`${path}: ${message} (${count(written + unchanged)} conversations before it are there; the same command goes on)`, { cause: error }), { hint });
  } finally {
    await memory.end();
  }
}
