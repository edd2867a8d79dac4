// Frames of HTTP/2 (RFC 9113) as bytes, also those that no library sends, and the head of an answer read back. Headers are written without Huffman codes.

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export type FrameType = keyof typeof frameTypes;

export const flags = {none: 0, endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32} as const;
export const settingIds = {headerTableSize: 1, enablePush: 2, maxConcurrentStreams: 3, initialWindowSize: 4, maxFrameSize: 5} as const;

export type Headers = readonly (readonly [name: string, value: string])[];

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const headBytes = 9;
const nothing = Buffer.alloc(0);

export function frame(type: FrameType | number, flag: number, stream: number, payload: Buffer = nothing): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = typeof type === 'number' ? type : frameTypes[type];
  head[4] = flag;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function settings(values: Partial<Record<keyof typeof settingIds, number>> = {}): Buffer {
  const parts = Object.entries(values).map(([name, value]) => {
    const part = Buffer.alloc(6);
    part.writeUInt16BE(settingIds[name as keyof typeof settingIds], 0);
    part.writeUInt32BE(value, 2);
    return part;
  });
  return frame('settings', flags.none, 0, Buffer.concat(parts));
}

export const settingsAck = frame('settings', flags.ack, 0);
export const ping = frame('ping', flags.none, 0, Buffer.alloc(8));

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export const reset = (stream: number, code = 8): Buffer => frame('rstStream', flags.none, stream, word(code));
export const windowUpdate = (stream: number, bytes: number): Buffer => frame('windowUpdate', flags.none, stream, word(bytes));

/** An integer of HPACK (RFC 7541, 5.1). */
function integer(value: number, prefixBits: number, first: number): Buffer {
  const most = 2 ** prefixBits - 1;
  if (value < most) return Buffer.of(first | value);
  const bytes = [first | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([integer(bytes.length, 7, 0), bytes]);
}

/** @param kept whether the peer is to keep it in its table */
export function header(name: string, value: string, kept = false): Buffer {
  return Buffer.concat([Buffer.of(kept ? 0x40 : 0), literal(name), literal(value)]);
}

/** The newest headers of the peer's table, by their places from 0. */
export const indexed = (place: number): Buffer => integer(62 + place, 7, 0x80);

/** A change of the size of the peer's table. */
export const tableSize = (bytes: number): Buffer => integer(bytes, 5, 0x20);

export const block = (headers: Headers): Buffer => Buffer.concat(headers.map(([name, value]) => header(name, value)));

/** The headers with a colon of a request. */
export function requestHeaders(method: string, path: string): Headers {
  return [
    [':method', method],
    [':path', path],
    [':scheme', 'https'],
    [':authority', 'orch'],
  ];
}

/** A whole request, or with `hasBody` its head. */
export function request(stream: number, method: string, path: string, more: Headers = [], hasBody = false): Buffer {
  return frame(
    'headers',
    flags.endHeaders | (hasBody ? flags.none : flags.endStream),
    stream,
    block([...requestHeaders(method, path), ...more]),
  );
}

export const data = (stream: number, bytes: string | Buffer = nothing, isLast = false): Buffer =>
  frame('data', isLast ? flags.endStream : flags.none, stream, Buffer.from(bytes as string));

/** How a client begins that takes answers of any size, and keeps no table for the server. */
export const opening = (values: Parameters<typeof settings>[0] = {}): Buffer =>
  Buffer.concat([preface, settings({headerTableSize: 0, initialWindowSize: 2 ** 30, ...values}), settingsAck, windowUpdate(0, 2 ** 30)]);

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Statuses of the static table of HPACK, by their places. */
const statuses: Readonly<Record<number, number>> = {8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500};

/** Codes of digits (RFC 7541, Appendix B): 0 to 2 have five bits, the others six. */
function huffmanDigits(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let text = '';
  for (let at = 0; text.length < 3 && at < bits.length;) {
    const five = Number.parseInt(bits.slice(at, at + 5), 2);
    if (five <= 2) {
      text += five;
      at += 5;
    } else {
      text += Number.parseInt(bits.slice(at, at + 6), 2) - 0x16;
      at += 6;
    }
  }
  return text;
}

/** The status at the beginning of a block of a server that keeps no table. */
export function statusOf(payload: Buffer): number {
  let at = 0;
  while ((payload[at]! & 0xe0) === 0x20) {
    // Changes of the table: each has one byte, or goes on while the first bit of a byte is set.
    if ((payload[at++]! & 0x1f) === 0x1f) while (payload[at++]! >= 128);
  }
  const first = payload[at]!;
  if (first >= 128) return statuses[first & 0x7f] ?? Number.NaN;
  const length = payload[at + 1]!;
  const value = payload.subarray(at + 2, at + 2 + (length & 0x7f));
  return Number(length >= 128 ? huffmanDigits(value) : value.toString('latin1'));
}

/** Tells the frames of what a server sends. */
export class FrameReader {
  #rest: Buffer = nothing;
  readonly #onFrame: (frame: Frame) => void;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  take(chunk: Buffer): void {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (bytes.length >= headBytes) {
      const end = headBytes + bytes.readUIntBE(0, 3);
      if (bytes.length < end) break;
      this.#onFrame({
        type: bytes[3]!,
        flags: bytes[4]!,
        stream: bytes.readUInt32BE(5) & 0x7fffffff,
        payload: bytes.subarray(headBytes, end),
      });
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
  }
}
