import {createGzip} from 'node:zlib';
import type {Exchange} from '../request/exchange.js';
import type {BodySlice} from './response-buffers.js';

/**
 * Bytes that are passed to the connection at once; the next slice follows when the operating system has accepted the previous one. This
 * much of a large response is in memory, both plain and encrypted, for a client that reads slowly or not at all. Encrypting and passing it on takes a tenth of a
 * millisecond, for which others wait.
 */
export const sliceBytes = 128 * 1024;
/** Bytes that a compressor is given at once. It works in another thread, and to wake that takes longer than to pass bytes on. */
export const compressedSliceBytes = 512 * 1024;
/** What a compressor passes on at once. */
const compressedChunkBytes = 64 * 1024;
/** What a compressor takes with its buffers, in bytes. */
const gzipBytes = 512 * 1024 + compressedSliceBytes;

/** Made when they are asked for, some of them after a while. */
type Slices = Iterable<BodySlice> | AsyncIterable<BodySlice>;

/**
 * Sends a body after its headers. Resolves when all of it has been passed on, or the client has disconnected.
 *
 * @param held bytes that are in memory for this response in addition to the current slice
 */
export async function sendSlices(exchange: Exchange, slices: Slices, held: number): Promise<void> {
  const {response} = exchange;
  // On its own, the first slice is encrypted in place; together with the headers, Node would copy both into new memory first.
  response.flushHeaders();
  const write = untilGone(exchange, (bytes, done) => response.write(bytes, done));
  for await (const {bytes, release} of slices) {
    exchange.holdAnswer(held + bytes.length);
    if (!(await write(bytes))) return;
    release();
    const turn = exchange.giveWay();
    if (turn) await turn;
  }
  response.end();
}

/** As `sendSlices`, compressed. */
export async function sendCompressed(exchange: Exchange, slices: Slices, held: number): Promise<void> {
  const {response} = exchange;
  const gzip = createGzip({level: 1, chunkSize: compressedChunkBytes});
  exchange.holdAnswer(held + gzipBytes);
  exchange.whenFinished(() => gzip.destroy());
  gzip.on('data', (chunk: Buffer) => {
    if (response.write(chunk)) return;
    gzip.pause();
    response.once('drain', () => gzip.resume());
  });
  gzip.once('end', () => response.end());
  const write = untilGone(exchange, (bytes, done) => gzip.write(bytes, done));
  for await (const {bytes, release} of slices) {
    if (!(await write(bytes))) return;
    release();
  }
  gzip.end();
}

type Write = (bytes: Buffer, done: (error?: Error | null) => void) => void;

/**
 * Writes and waits until the data has been sent. Returns false if the client has disconnected: a response queued behind others gets no
 * event for that.
 */
function untilGone(exchange: Exchange, write: Write): (bytes: Buffer) => Promise<boolean> {
  let resume: (written: boolean) => void = () => undefined;
  let gone = false;
  exchange.whenFinished(() => {
    gone = true;
    resume(false);
  });
  return (bytes) =>
    new Promise((resolve) => {
      if (gone) return resolve(false);
      resume = resolve;
      write(bytes, (error) => resolve(!error));
    });
}
