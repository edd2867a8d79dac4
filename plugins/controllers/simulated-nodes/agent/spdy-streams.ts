import type {Duplex} from 'node:stream';
import {agreeToSpdy, serveSpdy, type SpdyStream} from './spdy/spdy-session.js';
import {statusOf, type ContainerStreams} from './stream-socket.js';

/** Until a client has opened the streams that it has asked for. */
const patienceMillis = 30_000;

/**
 * Opens the streams of a container over SPDY: those that the query asks for, and one for the outcome.
 *
 * @throws Error if the client does not open them
 */
export async function openSpdyStreams(protocol: string, query: URLSearchParams, socket: Duplex, head: Buffer): Promise<ContainerStreams> {
  const wanted = [
    'error',
    ...['input', 'output'].filter((name) => query.get(name) === '1').map((name) => (name === 'input' ? 'stdin' : 'stdout')),
  ];
  if (query.get('error') === '1' && query.get('tty') !== '1') wanted.push('stderr');
  const streams = new Map<string, SpdyStream>();
  const opened = Promise.withResolvers<void>();
  agreeToSpdy(socket, head, protocol);
  const closed = serveSpdy(socket, (stream) => {
    streams.set((stream.headers.get('streamtype') ?? '').toLowerCase(), stream);
    if (wanted.every((name) => streams.has(name))) opened.resolve();
  });
  const timer = setTimeout(() => opened.reject(new Error('the client does not open the streams')), patienceMillis);
  void closed.then(() => opened.reject(new Error('the client has gone')));
  try {
    await opened.promise;
  } finally {
    clearTimeout(timer);
  }
  return {
    out: (text) => streams.get('stdout')?.write(text),
    // With a terminal there is one stream for both.
    error: (text) => (streams.get('stderr') ?? streams.get('stdout'))?.write(text),
    end: (exitCode) => {
      streams.get('error')?.write(JSON.stringify(statusOf(exitCode)));
      for (const name of ['stdout', 'stderr', 'error']) streams.get(name)?.end();
    },
    closed,
  };
}
