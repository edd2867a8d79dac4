import type {Socket} from 'node:net';
import {readInSmallParts} from '../../../sdk/net/small-reads.js';
import {expect, type Hook} from './hook.js';

/** Node's parser of a connection, as far as it is used here. `parser[constructor.kOnExecute]` is called with what it has parsed at once. */
interface Parser {
  readonly constructor: {readonly kOnExecute: number};
  [callback: number]: ((parsed: number | Error) => void) | undefined;
}

const ignore = () => undefined;

/**
 * What a connection receives, on its way to Node's HTTP parser. At first the parser reads the handle below the socket by itself, for speed, and
 * parses all that has been read, up to 64 KiB, at once. After `readFromSocket` it takes small parts that the socket is given one after the other, so
 * that nothing more is parsed once the socket is destroyed or `drop` has been called.
 */
export class ReceivedParts {
  /** What is received from then on is not HTTP: it reaches the socket as it comes. */
  readonly end: () => void;
  readonly #socket: Socket;
  #dropped = false;

  /**
   * To be created when Node's HTTP server listens to the socket already.
   *
   * @param parsed called with the number of bytes each time that some have been parsed
   */
  constructor(socket: Socket, parsed: (bytes: number) => void) {
    this.#socket = socket;
    const {parser} = socket as Socket & {parser?: Parser | null};
    const done = parser?.[parser.constructor.kOnExecute];
    if (parser && done) {
      parser[parser.constructor.kOnExecute] = (result) => {
        if (typeof result === 'number') parsed(result);
        done(result);
      };
    }
    this.end = readInSmallParts(socket, parsed, () => this.#dropped);
  }

  /** Makes the parser read from the socket again, as Node does once there is a `data` listener. Costs 3 µs per request. */
  readFromSocket(): void {
    this.#socket.on('data', ignore);
    this.#socket.off('data', ignore);
  }

  /** Nothing that is received from now on is parsed. */
  drop(): void {
    this.#dropped = true;
    this.readFromSocket();
  }
}

export const receivedPartsHook: Hook = {
  name: 'received-parts',
  claim: 'the parser says what it has parsed, takes small parts from the socket when it is to, and none after a drop',
  async probe(bench) {
    const connection = await bench.connect();
    const before = connection.socket.bytesRead;
    const calls: number[] = [];
    const parts = new ReceivedParts(connection.socket, (bytes) => calls.push(bytes));
    const small = 'GET / HTTP/1.1\r\nHost: probe\r\n\r\n';
    (await connection.request(small)).response.end();
    expect(calls.length === 1 && calls[0] === small.length, `${calls.join()} bytes are said to be parsed instead of ${small.length}`);

    parts.readFromSocket();
    const large = `GET / HTTP/1.1\r\nHost: probe\r\nX-Padding: ${'x'.repeat(2 * 4096)}\r\n\r\n`;
    (await connection.request(large)).response.end();
    const passed = calls.slice(1);
    const sum = passed.reduce((all, bytes) => all + bytes, 0);
    expect(sum === large.length && passed.every((bytes) => bytes <= 4096), `a head was parsed in parts of ${passed.join()} bytes`);

    parts.drop();
    connection.send(small);
    await connection.received(before + 2 * small.length + large.length);
    expect(calls.length === 1 + passed.length && !connection.hasArrived, 'a request was parsed after the drop');
  },
};
