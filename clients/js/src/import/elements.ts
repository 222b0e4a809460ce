// The elements of a JSON array, one by one out of a stream of bytes: what is kept is the element at hand, whatever the length of the array.

/** The bytes are not what they should be; `element` counts from 1. */
export class BrokenJson extends Error {
  constructor(why: string, readonly element: number, readonly byte: number) {
    super(`element ${element}, byte ${byte}: ${why}`);
  }
}

export interface Element {
  value: unknown;
  /** From 1. */
  number: number;
  /** How many bytes of the stream are behind it. */
  byte: number;
}

const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, OBJECT, END] = [...Buffer.from('"\\,[]{}')] as [number, number, number, number, number, number, number];
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Structural bytes of JSON are ASCII, and no byte of another character is: bytes are looked at, and elements decoded whole. */
export class Elements {
  #depth = 0; // 0 outside of the array, 1 between elements
  #string = false;
  #escaped = false;
  #ended = false;
  #number = 1;
  #byte = 0;
  #kept: Buffer[] = [];
  #size = 0;

  constructor(readonly mostBytes = 256 * 1024 * 1024) {}

  *push(chunk: Buffer): Generator<Element> {
    let begin = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#string) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#string = false;
      } else if (this.#depth === 0) {
        this.#outside(byte, at);
        begin = at + 1;
      } else if (byte === QUOTE) {
        this.#string = true;
      } else if (byte === OBJECT || byte === OPEN) {
        this.#depth += 1;
      } else if ((byte === COMMA || byte === CLOSE) && this.#depth === 1) {
        this.#keep(chunk.subarray(begin, at), at);
        yield* this.#element(byte, at);
        begin = at + 1;
      } else if (byte === END || byte === CLOSE) {
        this.#depth -= 1;
        if (this.#depth === 0) throw this.#broken('the brackets do not match', at);
      }
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(begin), chunk.length);
    this.#byte += chunk.length;
  }

  end(): void {
    if (!this.#ended) throw this.#broken(this.#byte === 0 ? 'the file is empty' : 'the file ends before the array does', 0);
  }

  #outside(byte: number, at: number): void {
    if (BLANK.has(byte) || (this.#byte + at < 3 && byte === BYTE_ORDER_MARK[this.#byte + at])) return;
    if (byte !== OPEN || this.#ended) throw this.#broken(this.#ended ? 'there is more behind the array' : 'an array is expected', at);
    this.#depth = 1;
  }

  #keep(bytes: Buffer, at: number): void {
    this.#size += bytes.length;
    if (this.#size > this.mostBytes) throw this.#broken(`it is longer than ${this.mostBytes} bytes`, at);
    if (bytes.length) this.#kept.push(bytes);
  }

  *#element(byte: number, at: number): Generator<Element> {
    const text = Buffer.concat(this.#kept).toString('utf8').trim();
    this.#kept = [];
    this.#size = 0;
    if (byte === CLOSE) {
      this.#depth = 0;
      this.#ended = true;
      if (!text && this.#number === 1) return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw this.#broken((error as Error).message, at);
    }
    yield { value, number: this.#number, byte: this.#byte + at + 1 };
    this.#number += 1;
  }

  #broken(why: string, at: number): BrokenJson {
    return new BrokenJson(why, this.#number, this.#byte + at);
  }
}

export async function* elementsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Element> {
  const elements = new Elements();
  for await (const chunk of bytes) yield* elements.push(chunk);
  elements.end();
}
