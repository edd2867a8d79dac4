export interface RequestParts {
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  /** Media type of the body; JSON by default. */
  readonly type?: string;
  /** The name that the server is asked under. */
  readonly host?: string;
}

/** A request as it goes over the wire. Headers are whole lines without their end. */
export function requestText(
  method: string,
  path: string,
  {headers = [], body, type = 'application/json', host = 'orch'}: RequestParts = {},
): Buffer {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`, `Content-Type: ${type}`];
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers, ...length, '', ''].join('\r\n');
  return body === undefined ? Buffer.from(head, 'latin1') : Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body as string)]);
}
