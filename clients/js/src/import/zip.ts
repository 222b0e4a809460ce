// Files in a zip archive, as vendors send them: the directory at its end is read first, then entries as streams.
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';

const END = 0x06054b50, ENTRY = 0x02014b50, LOCAL = 0x04034b50;
const LONGEST_END = 22 + 0xffff; // with a comment
const IN_ZIP64 = 0xffffffff;

export interface Entry {
  name: string;
  /** Unpacked. */
  size: number;
  packed: number;
  method: number;
  offset: number;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error('the zip archive is cut off');
  return buffer;
}

export async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && [LOCAL, END].includes(buffer.readUInt32LE());
  } finally {
    await file.close();
  }
}

export async function entriesOf(path: string): Promise<Entry[]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const tail = await read(file, Math.max(0, size - LONGEST_END), Math.min(size, LONGEST_END));
    let at = tail.length - 22;
    while (at >= 0 && tail.readUInt32LE(at) !== END) at -= 1;
    if (at < 0) throw new Error('this is not a whole zip archive: its directory is missing');
    return entriesIn(await read(file, tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 12)), tail.readUInt16LE(at + 10));
  } finally {
    await file.close();
  }
}

function entriesIn(directory: Buffer, count: number): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; entries.length < count;) {
    if (directory.readUInt32LE(at) !== ENTRY) throw new Error('the directory of the zip archive is broken');
    const [name, extra, comment] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place)) as [number, number, number];
    const [packed, size, offset] = [20, 24, 42].map((place) => directory.readUInt32LE(at + place)) as [number, number, number];
    if ([packed, size, offset].includes(IN_ZIP64)) throw new Error('zip archives of more than 4 GB are not read: unpack it first');
    if (directory.readUInt16LE(at + 8) & 1) throw new Error('the zip archive is encrypted: unpack it first');
    entries.push({ name: directory.toString('utf8', at + 46, at + 46 + name), packed, size, offset, method: directory.readUInt16LE(at + 10) });
    at += 46 + name + extra + comment;
  }
  return entries;
}

/** The bytes of an entry, unpacked as they are read. */
export async function streamOf(path: string, { packed, offset, method, name }: Entry): Promise<Readable> {
  if (method !== 0 && method !== 8) throw new Error(`${name} is packed in a way that is not read (${method}): unpack it first`);
  const file = await open(path);
  let begin: number;
  try {
    const header = await read(file, offset, 30);
    begin = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  } finally {
    await file.close();
  }
  const bytes = createReadStream(path, { start: begin, end: begin + packed - 1 });
  if (method === 0) return bytes;
  const inflate = createInflateRaw();
  return bytes.on('error', (error) => inflate.destroy(error)).pipe(inflate);
}
