// Values as the server sends them, whatever parsers the application has set for its own queries.
import pg from 'pg';

const TIME = /^(\d+)-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(\.\d+)?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?( BC)?$/;

function milliseconds(text: string): number {
  const match = TIME.exec(text);
  if (!match) return NaN;
  const [year, month, day, hours, minutes, seconds] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const [fraction, sign, zoneHours, zoneMinutes, zoneSeconds, before] = match.slice(7);
  const date = new Date(0);
  date.setUTCFullYear(before ? 1 - year : year, month - 1, day);
  date.setUTCHours(hours, minutes, seconds, Math.floor(Number(fraction ?? 0) * 1000));
  const zone = Number(zoneHours) * 3600 + Number(zoneMinutes ?? 0) * 60 + Number(zoneSeconds ?? 0);
  return date.getTime() - (sign === '-' ? -1 : 1) * zone * 1000;
}

/**
 * A time of the server: a `Date`, and its text with the microseconds that a `Date` does not have. Passed back as an argument it is
 * the text that goes, so that `knownAt: fact.knownFrom` finds that belief.
 */
export class Moment extends Date {
  constructor(readonly text: string) {
    super(milliseconds(text));
  }

  override toJSON(): string {
    return this.text;
  }
}

type Parser = (text: string) => unknown;
const parsers: Record<number, Parser> = {
  20: Number, // int8
  114: JSON.parse,
  1184: (text) => new Moment(text), // timestamptz
  3802: JSON.parse, // jsonb
};
const parserOf = pg.types.getTypeParser.bind(pg.types) as (oid: number, format?: 'text' | 'binary') => Parser;

/** The parser of a column, by the oid of its type: for `types` of a query. */
export const fromServer = (oid: number, format?: 'text' | 'binary'): Parser => parsers[oid] ?? parserOf(oid, format);
