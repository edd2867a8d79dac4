/** How a request reaches the server. */
export type Manner =
  /** With its length. */
  | 'whole'
  /** In chunks. */
  | 'chunked'
  /** With the length of the whole body, of which only a part comes before the connection is closed. */
  | 'cut'
  /** As bytes that need not be HTTP: `raw`. */
  | 'raw';

/** A request of the fuzz. */
export interface FuzzRequest {
  readonly method: string;
  /** Path and query: printable ASCII without blanks. */
  readonly path: string;
  /** Names and values of headers; a name may come twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
  readonly manner: Manner;
  /** With the manner `raw` what goes over the wire. */
  readonly raw?: Buffer;
}

/** A request as it stands in a file. */
export interface FuzzRequestText extends Omit<FuzzRequest, 'body' | 'raw'> {
  /** A body that is text. */
  readonly text?: string;
  /** Another body, in base64. */
  readonly bytes?: string;
  readonly rawBytes?: string;
}

export function toText({body, raw, ...request}: FuzzRequest): FuzzRequestText {
  const text = body?.toString('utf8');
  return {
    ...request,
    ...(body === undefined ? {} : Buffer.from(text!).equals(body) ? {text: text!} : {bytes: body.toString('base64')}),
    ...(raw === undefined ? {} : {rawBytes: raw.toString('base64')}),
  };
}

export function fromText({text, bytes, rawBytes, ...request}: FuzzRequestText): FuzzRequest {
  const body = text !== undefined ? Buffer.from(text) : bytes !== undefined ? Buffer.from(bytes, 'base64') : undefined;
  return {...request, body, ...(rawBytes === undefined ? {} : {raw: Buffer.from(rawBytes, 'base64')})};
}

const chunkBytes = 1000;

/** What goes over the wire. */
export function wireBytes({method, path, headers, body, manner, raw}: FuzzRequest): Buffer {
  if (raw) return raw;
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: orch', ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body === undefined) return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  lines.push(manner === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (manner === 'cut') return Buffer.concat([head, body.subarray(0, body.length >> 1)]);
  if (manner === 'whole') return Buffer.concat([head, body]);
  const parts: Buffer[] = [head];
  for (let at = 0; at < body.length; at += chunkBytes) {
    const part = body.subarray(at, at + chunkBytes);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
