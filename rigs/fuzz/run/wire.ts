import {connect, type TLSSocket} from 'node:tls';
import {ResponseReader, type ReadResponse} from '../../../test/helpers/response-reader.js';
import {wireBytes, type FuzzRequest} from '../fuzz-request.js';
import type {ServerAddress} from './fuzz-server.js';

/** What became of one request. */
export interface Outcome {
  readonly response?: ReadResponse;
  /** The answer goes on: a watch, or something like it, that was cut when it had begun. */
  readonly endless?: boolean;
  /** There was no answer: the connection was cut, or nothing came in time; or what came is no HTTP. */
  readonly failure?: 'cut' | 'timeout' | string;
  readonly millis: number;
}

/** Longest time until an answer begins, on a machine that has other work too. */
export const answerMillis = 20_000;
/** An answer in parts that has not ended after this time is one that does not end. */
const endlessMillis = 1_500;

interface Waiting {
  readonly request: FuzzRequest;
  readonly sent: number;
  readonly resolve: (outcome: Outcome | undefined) => void;
}

/** A connection on which requests go out several at a time. It is opened anew whenever it has been closed. */
export class Wire {
  #socket: TLSSocket | undefined;
  #waiting: Waiting[] = [];
  #watchdog: NodeJS.Timeout | undefined;
  #endless: NodeJS.Timeout | undefined;
  /** Bytes of the answer that is under way, for one that does not end. */
  #partial: Buffer[] = [];
  #head: {status: number; head: string} | undefined;
  /** The server has said that it ends the connection with the answer that it gave. */
  #announced = false;

  constructor(readonly address: ServerAddress) {}

  /** Sends requests at once and answers what became of each, in their order. Those behind one that ended the connection are undefined. */
  async send(requests: readonly FuzzRequest[]): Promise<(Outcome | undefined)[]> {
    const socket = await this.#connected();
    if (!socket) return requests.map(() => ({failure: 'no connection', millis: 0}));
    const outcomes = requests.map(
      (request) => new Promise<Outcome | undefined>((resolve) => this.#waiting.push({request, sent: performance.now(), resolve})),
    );
    this.#watch();
    socket.write(Buffer.concat(requests.map(wireBytes)));
    if (requests.at(-1)!.manner === 'cut' || requests.at(-1)!.manner === 'raw') socket.end();
    return Promise.all(outcomes);
  }

  close(): void {
    this.#socket?.destroy();
    this.#over('cut');
  }

  #connected(): Promise<TLSSocket | undefined> {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable && !this.#announced) return Promise.resolve(this.#socket);
    this.#socket?.destroy();
    const {host, port, ca, cert, key} = this.address;
    const socket = connect({host, port, ca, cert, key, timeout: answerMillis});
    socket.setNoDelay(true);
    const reader = new ResponseReader({
      keepBodies: true,
      onHead: (status, head) => this.#begin(status, head),
      onBody: (part) => this.#endless && this.#partial.push(part),
      onResponse: (response) => this.#finish({response}),
      isBodiless: () => this.#waiting[0]?.request.method === 'HEAD',
    });
    this.#socket = socket;
    this.#announced = false;
    socket.on('data', (chunk: Buffer) => {
      if (this.#socket !== socket) return;
      try {
        reader.take(chunk);
      } catch (error) {
        this.#over((error as Error).message);
        socket.destroy();
      }
    });
    return new Promise((resolve) => {
      socket.once('secureConnect', () => {
        socket.setTimeout(0);
        resolve(socket);
      });
      socket.once('timeout', () => socket.destroy());
      socket.on('error', () => resolve(undefined));
      socket.once('close', () => {
        resolve(undefined);
        if (this.#socket !== socket) return;
        reader.end();
        this.#over(this.#announced ? 'behind' : 'cut');
      });
    });
  }

  #begin(status: number, head: string): void {
    if (status === 101) {
      this.#finish({response: {status, head, body: Buffer.alloc(0)}, endless: true});
      this.#socket?.destroy();
      return;
    }
    if (status < 200) return;
    this.#head = {status, head};
    this.#announced ||= /\r\nconnection:[ \t]*close/i.test(head);
    this.#partial = [];
    this.#endless = setTimeout(() => {
      const response = {...this.#head!, body: Buffer.concat(this.#partial)};
      const socket = this.#socket;
      this.#finish({response, endless: true});
      socket?.destroy();
      this.#over('behind');
    }, endlessMillis);
  }

  #finish(outcome: Omit<Outcome, 'millis'>): void {
    clearTimeout(this.#endless);
    this.#endless = undefined;
    this.#partial = [];
    const waiting = this.#waiting.shift();
    waiting?.resolve({...outcome, millis: performance.now() - waiting.sent});
    this.#watch();
  }

  /** The connection is over: the first request without an answer is told why, and those behind it were not looked at. */
  #over(failure: string): void {
    clearTimeout(this.#endless);
    clearTimeout(this.#watchdog);
    this.#endless = undefined;
    const [first, ...others] = this.#waiting.splice(0);
    if (failure === 'behind') first?.resolve(undefined);
    else first?.resolve({failure, millis: performance.now() - first.sent});
    for (const {resolve} of others) resolve(undefined);
  }

  #watch(): void {
    clearTimeout(this.#watchdog);
    if (this.#waiting.length === 0) return;
    this.#watchdog = setTimeout(() => {
      const socket = this.#socket;
      this.#over('timeout');
      socket?.destroy();
    }, answerMillis);
  }
}
