import type {IncomingMessage} from 'node:http';
import {expect, type Hook} from './hook.js';

/**
 * Shows each part of a request body to a callback when it is parsed, which may be long before it is read.
 *
 * @param isTaken whether the part belongs to the body; otherwise it is dropped
 */
export function filterBody(request: IncomingMessage, isTaken: (part: Buffer) => boolean): void {
  const push = request.push.bind(request);
  request.push = (part: unknown, encoding?: BufferEncoding) => (Buffer.isBuffer(part) && !isTaken(part) ? true : push(part, encoding));
}

export const bodyPartsHook: Hook = {
  name: 'body-parts',
  claim: 'each part of a body is seen as it is parsed, and is not kept unless it is taken',
  async probe(bench) {
    const connection = await bench.connect();
    const seen: string[] = [];
    connection.onArrival = ({request}) =>
      filterBody(request, (part) => {
        seen.push(part.toString());
        return seen.length !== 2;
      });
    const {request, response} = await connection.request(
      'POST / HTTP/1.1\r\nHost: probe\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n',
    );
    let read = '';
    request.on('data', (part: Buffer) => (read += part.toString()));
    await new Promise((resolve) => request.once('end', resolve));
    response.end();
    expect(seen.join() === 'a,b,c' && read === 'ac', `the parts ${seen.join()} were seen, and ${read} was read`);
    connection.release();
  },
};
