import type {IncomingMessage} from 'node:http';
import type {Status} from '../objects/status.js';
import {ConnectionError} from './connection-error.js';
import {parseJson} from '../values/json-text.js';
import type {ResourceEvent} from '../objects/resource-objects.js';
import {statusError} from './response-error.js';

/**
 * Streams the events of a watch. Ends when the server ends the watch, or `signal` fires. Leaving the loop closes the stream.
 *
 * @param open starts the watch
 * @throws StatusError from `open` or the stream (`Expired`: list again); ConnectionError if the stream is cut off
 */
export async function* watchEvents<T>(
  server: string,
  open: () => Promise<IncomingMessage>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ResourceEvent<T>, void, undefined> {
  if (signal?.aborted) return;
  let response: IncomingMessage | undefined;
  try {
    response = await open();
    for await (const line of linesOf(response)) {
      const event = parseJson(line) as unknown as ResourceEvent<T> | {type: 'ERROR'; object: Status};
      if (signal?.aborted) return;
      if (event.type === 'ERROR') throw statusError(event.object);
      yield event;
    }
  } catch (error) {
    if (signal?.aborted) return;
    throw isCutOff(error) ? new ConnectionError(server, error) : error;
  } finally {
    response?.destroy();
  }
}

function isCutOff(error: unknown): boolean {
  const {code} = error as {code?: unknown};
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Non-empty lines. An incomplete last one is dropped, because the stream was cut off within it. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string, void, undefined> {
  response.setEncoding('utf8');
  // Parts of a line received in several chunks; joined once, however many there are.
  let parts: string[] = [];
  for await (const chunk of response as AsyncIterable<string>) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      parts.push(chunk.slice(start, end));
      start = end + 1;
      const line = parts.length === 1 ? parts[0]! : parts.join('');
      parts = [];
      if (line !== '') yield line;
    }
    if (start < chunk.length) parts.push(chunk.slice(start));
  }
}
