import type {ClientHttp2Session, ClientHttp2Stream} from 'node:http2';
import type {TLSSocket} from 'node:tls';
import {ChunkedBody} from './chunked-body.js';
import {openTls, requestText} from './http-connection.js';
import {headersOf} from './http2-connection.js';
import type {ShardFilter} from './shard-filter.js';
import {sequenceDigits, sequenceMarker, shardCount, shardOf, type Target} from './work.js';

const marker = Buffer.from(sequenceMarker);
const headEnd = Buffer.from('\r\n\r\n');
/** Longest piece of a marker with its number that may be cut off at the end of what has arrived. */
const longest = marker.length + sequenceDigits;

const joined = (rest: Buffer, data: Buffer) => (rest.length > 0 ? Buffer.concat([rest, data]) : data);

/** Called for each delivered event with the number of the update that it belongs to. */
export type DeliveryListener = (sequence: number) => void;

/**
 * Many watches of one namespace. Events are not parsed: they are told apart by the number that each update writes into the
 * object, which is found with a search for bytes.
 */
export class Watchers {
  readonly #sockets: (ClientHttp2Stream | TLSSocket)[] = [];
  #listener: DeliveryListener = () => undefined;
  #ended = 0;
  /** By shard: how many watchers get its events. */
  readonly #readers = Array.from({length: shardCount}, () => 0);

  /** Watches that the server has ended although nobody asked for it. */
  get ended(): number {
    return this.#ended;
  }

  /** How many watchers get the event of an object's update. */
  readersOf(object: number): number {
    return this.#readers[shardOf(object)]!;
  }

  listen(listener: DeliveryListener): void {
    this.#listener = listener;
  }

  /**
   * Opens `count` watches, with the given filters in turn; resolves when all have been answered.
   *
   * @param shared connections of HTTP/2 for all of them; without any each has its own
   */
  async open(
    target: Target,
    path: string,
    count: number,
    filters: readonly ShardFilter[] = [],
    shared: readonly ClientHttp2Session[] = [],
  ): Promise<void> {
    const host = new URL(target.url).host;
    const plain = requestText('GET', path, host);
    const requests = filters.map(({selector}) => requestText('GET', `${path}&labelSelector=${encodeURIComponent(selector)}`, host));
    for (let index = 0; index < count; index++) {
      const shards = filters.length > 0 ? filters[index % filters.length]!.shards : this.#readers.keys();
      for (const shard of shards) this.#readers[shard]!++;
    }
    // A few at a time: handshakes are the dear part, and none may time out.
    for (let first = 0; first < count; first += 20) {
      const group = Array.from({length: Math.min(20, count - first)}, (_, step) => {
        const request = requests[(first + step) % requests.length] ?? plain;
        const session = shared[(first + step) % shared.length];
        return session ? this.#openStream(session, request) : this.#openOne(target, request);
      });
      await Promise.all(group);
    }
  }

  async #openOne(target: Target, request: string): Promise<void> {
    const socket = await openTls(target);
    this.#sockets.push(socket);
    const body = new ChunkedBody();
    let rest = Buffer.alloc(0) as Buffer;
    let answered = false;
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('close', () => {
        if (this.#sockets.includes(socket)) this.#ended++;
        reject(new Error('the server closed a watch'));
      });
      socket.on('data', (chunk: Buffer) => {
        const data = joined(rest, answered ? body.take(chunk) : chunk);
        if (!answered) {
          const end = data.indexOf(headEnd);
          if (end < 0) {
            rest = data;
            return;
          }
          const status = data.toString('latin1', 9, 12);
          if (status !== '200') {
            reject(new Error(`a watch was answered with ${status}`));
            socket.destroy();
            return;
          }
          answered = true;
          resolve();
          rest = this.#scan(body.take(data.subarray(end + 4)));
          return;
        }
        rest = this.#scan(data);
      });
      socket.write(request);
    });
  }

  async #openStream(session: ClientHttp2Session, request: string): Promise<void> {
    const stream = session.request(headersOf(request).headers);
    this.#sockets.push(stream);
    let rest: Buffer = Buffer.alloc(0);
    await new Promise<void>((resolve, reject) => {
      stream.once('error', reject).once('close', () => {
        if (this.#sockets.includes(stream)) this.#ended++;
        reject(new Error('the server closed a watch'));
      });
      stream.once('response', ({':status': status}) => {
        if (status === 200) resolve();
        else reject(new Error(`a watch was answered with ${status}`));
      });
      stream.on('data', (chunk: Buffer) => (rest = this.#scan(joined(rest, chunk))));
    });
  }

  /** Reports the events whose number is in `data`; answers what must be looked at again together with the next bytes. */
  #scan(data: Buffer): Buffer {
    let from = 0;
    for (;;) {
      const at = data.indexOf(marker, from);
      if (at < 0 || at + longest > data.length) {
        const keepFrom = at < 0 ? Math.max(from, data.length - marker.length + 1) : at;
        return Buffer.from(data.subarray(keepFrom));
      }
      let sequence = 0;
      for (let digit = 0; digit < sequenceDigits; digit++) sequence = sequence * 10 + data[at + marker.length + digit]! - 48;
      this.#listener(sequence);
      from = at + longest;
    }
  }

  close(): void {
    const sockets = this.#sockets.splice(0);
    for (const socket of sockets) socket.destroy();
    this.#ended = 0;
    this.#readers.fill(0);
  }
}
