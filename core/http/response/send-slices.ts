import {createGzip} from 'node:zlib';
import type {Exchange} from '../request/exchange.js';
import type {BodySlice} from './response-buffers.js';

/**
 * What is handed to the connection at once, in bytes; the next slice follows when the system has taken the one before. So much of a large
 * answer is in memory, as it is and encrypted, for a client that reads slowly or not at all.
 */
export const sliceBytes = 256 * 1024;
/** What a compressor takes with its buffers, in bytes. */
const gzipBytes = 512 * 1024;

/**
 * Sends a body whose head has been written. Resolves when all of it has been handed over, or when the client has gone.
 *
 * @param held bytes that are in memory for this answer besides the slice that is being sent
 */
export async function sendSlices(exchange: Exchange, slices: Iterable<BodySlice>, held: number): Promise<void> {
  const {response} = exchange;
  const write = untilGone(exchange, (bytes, done) => response.write(bytes, done));
  for (const {bytes, release} of slices) {
    exchange.holdAnswer(held + bytes.length);
    if (!(await write(bytes))) return;
    release();
    const turn = exchange.turns?.giveWay();
    if (turn) await turn;
  }
  response.end();
}

/** As `sendSlices`, compressed. */
export async function sendCompressed(exchange: Exchange, slices: Iterable<BodySlice>, held: number): Promise<void> {
  const {response} = exchange;
  const gzip = createGzip({level: 1, chunkSize: sliceBytes / 4});
  exchange.holdAnswer(held + gzipBytes);
  exchange.whenFinished(() => gzip.destroy());
  gzip.on('data', (chunk: Buffer) => {
    if (response.write(chunk)) return;
    gzip.pause();
    response.once('drain', () => gzip.resume());
  });
  gzip.once('end', () => response.end());
  const write = untilGone(exchange, (bytes, done) => gzip.write(bytes, done));
  for (const {bytes, release} of slices) {
    if (!(await write(bytes))) return;
    release();
  }
  gzip.end();
}

type Write = (bytes: Buffer, done: (error?: Error | null) => void) => void;

/** Writes and waits until that is done. Answers false when the client has gone: of an answer that waits behind others nobody is told. */
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
