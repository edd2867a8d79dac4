import {connect as connectTcp, type Socket} from 'node:net';
import {connect as connectTls, type ConnectionOptions} from 'node:tls';
import {FrameReader, frameTypes, statusOf, type Frame} from '../../../test/helpers/http2-frames.js';
import {ResponseReader, type ReadResponse} from '../../../test/helpers/response-reader.js';
import {isFailure, type Tally} from './tally.js';
import type {Besieged, UserName} from './users.js';

export interface ConnectOptions {
  /** Whose certificate is shown; nobody's by default. */
  readonly user?: UserName;
  /** The address that the connection comes from: attackers have others than those who measure. */
  readonly from?: string;
  /** Nothing that the server sends is taken from the socket. */
  readonly deaf?: boolean;
  /** The requests of this connection are answered without a body, as HEAD is. */
  readonly bodiless?: boolean;
  /** HTTP/2 is spoken, and these bytes are sent first. Of what comes only the statuses are looked at. */
  readonly http2?: Buffer;
  /** Further settings of TLS. */
  readonly tls?: ConnectionOptions;
  /** Sees every whole answer. */
  readonly onResponse?: (response: ReadResponse) => void;
  /** Longest time until the connection stands, in milliseconds; 10 s by default. */
  readonly connectMillis?: number;
  /** Sees the bytes of bodies as they come. */
  readonly onBody?: (part: Buffer) => void;
}

/** Whether bytes are a record of TLS that ends a handshake. */
function isTlsAlert(bytes: Buffer): boolean {
  return bytes[0] === 0x15 && bytes[1] === 0x03;
}

const attackersAddress = '127.0.0.2';
const defaultConnectMillis = 10_000;

/** A connection to the server that says what it wants and counts what it gets. */
export class Connection {
  readonly #waiting: {resolve: (response: ReadResponse) => void; reject: (error: Error) => void}[] = [];
  readonly #reader: ResponseReader | FrameReader;
  #closed = false;
  #answered = false;

  private constructor(
    readonly socket: Socket,
    /** The socket below TLS, or the same. */
    readonly transport: Socket,
    readonly tally: Tally,
    readonly options: ConnectOptions,
  ) {
    this.#reader = options.http2
      ? new FrameReader((frame) => this.#takeFrame(frame))
      : new ResponseReader({
          keepBodies: true,
          onResponse: (response) => this.#take(response),
          ...(options.onBody ? {onBody: options.onBody} : {}),
          // Counted when it begins: a watch has no end.
          onHead: (status) => {
            tally.add(status);
            this.#answered = true;
          },
          isBodiless: () => options.bodiless === true,
        });
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => undefined);
    socket.once('close', () => this.#close());
    if (options.deaf) socket.pause();
    if (options.http2) socket.write(options.http2);
  }

  /** Opens a connection with TLS. Answers undefined, and counts it, when the server refuses or does not come to terms in time. */
  static open(server: Besieged, tally: Tally, options: ConnectOptions = {}): Promise<Connection | undefined> {
    const {user = 'anonymous', from = attackersAddress, http2, tls} = options;
    // Made apart: only a socket without TLS can be reset.
    const transport = connectTcp({host: server.host, port: server.port, localAddress: from});
    transport.setNoDelay(true).on('error', () => undefined);
    const socket = connectTls({
      socket: transport,
      servername: 'localhost',
      ca: server.ca,
      ...(user === 'anonymous' ? {} : server.users[user]),
      ...(http2 ? {ALPNProtocols: ['h2']} : {}),
      ...tls,
    } as ConnectionOptions);
    return Connection.#opened(socket, transport, 'secureConnect', tally, options);
  }

  /** Opens a connection without TLS. */
  static openTcp(server: Besieged, tally: Tally, options: ConnectOptions = {}): Promise<Connection | undefined> {
    const socket = connectTcp({host: server.host, port: server.port, localAddress: options.from ?? attackersAddress});
    return Connection.#opened(socket, socket, 'connect', tally, options);
  }

  static #opened(socket: Socket, transport: Socket, event: string, tally: Tally, options: ConnectOptions): Promise<Connection | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), options.connectMillis ?? defaultConnectMillis);
      socket.on('error', () => undefined);
      const refused = () => {
        clearTimeout(timer);
        tally.add('cut');
        resolve(undefined);
      };
      socket.once('close', refused);
      socket.once(event, () => {
        clearTimeout(timer);
        socket.off('close', refused);
        resolve(new Connection(socket, transport, tally, options));
      });
    });
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Whether an answer has begun to come. */
  get isAnswered(): boolean {
    return this.#answered;
  }

  /** Sends bytes without waiting for anything. */
  write(bytes: string | Buffer): void {
    if (!this.#closed) this.socket.write(bytes);
  }

  /** Sends bytes; resolves when the system has taken them, and when the connection is over. */
  async flush(bytes: string | Buffer): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      this.socket.once('close', resolve);
      this.socket.write(bytes, () => {
        this.socket.off('close', resolve);
        resolve();
      });
    });
  }

  /** Sends a request and waits for its answer. Rejects when the connection ends without one. */
  ask(request: string | Buffer): Promise<ReadResponse> {
    if (this.#closed) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({resolve, reject});
      this.socket.write(request);
    });
  }

  /** Begins to read. */
  listen(): void {
    if (!this.#closed) this.socket.resume();
  }

  close(): void {
    this.#closed = true;
    this.socket.destroy();
  }

  /** Ends the connection the hard way. */
  reset(): void {
    this.#closed = true;
    this.transport.resetAndDestroy();
  }

  #read(chunk: Buffer): void {
    // Without TLS: the server says that it will not shake hands, and closes the connection.
    if (this.socket === this.transport && isTlsAlert(chunk)) return;
    try {
      this.#reader.take(chunk);
    } catch (error) {
      this.tally.fault((error as Error).message);
      this.close();
    }
  }

  #take(response: ReadResponse): void {
    const {status, body} = response;
    if (isFailure(status)) this.tally.fault(`answered ${status}: ${body.toString('latin1', 0, 300)}`);
    this.options.onResponse?.(response);
    if (status !== 101) this.#waiting.shift()?.resolve(response);
  }

  #takeFrame({type, payload}: Frame): void {
    if (type !== frameTypes.headers) return;
    const status = statusOf(payload);
    if (isFailure(status)) this.tally.fault(`answered ${status}`);
    this.tally.add(status);
    this.#answered = true;
  }

  #close(): void {
    if (this.#reader instanceof ResponseReader) this.#reader.end();
    if (!this.#closed) this.tally.add('cut');
    this.#closed = true;
    for (const {reject} of this.#waiting.splice(0)) reject(new Error('the server closed the connection'));
  }
}
