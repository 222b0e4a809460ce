// Bytes in values of JSON, which has none: as base64 under a key that says so.
const KEY = '$base64';

/** As JSON. */
export function encode<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (_, one: unknown) => (one instanceof Uint8Array ? { [KEY]: Buffer.from(one).toString('base64') } : one))) as Value;
}

/** The value that `encode` was given. */
export function decode(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one: unknown) => {
    const bytes = one !== null && typeof one === 'object' && KEY in one ? one[KEY] : undefined;
    return typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : one;
  }) as unknown;
}

/** Every string in a value that has bytes, else nothing. */
export function textsBesideBytes(value: unknown): string[] | undefined {
  const texts: string[] = [], bytes: Uint8Array[] = [];
  JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'string') texts.push(one);
    if (!(one instanceof Uint8Array)) return one;
    bytes.push(one);
    return undefined;
  });
  return bytes.length ? texts : undefined;
}
