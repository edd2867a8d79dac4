import type {IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream} from 'node:http2';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import process from 'node:process';
import type {TLSSocket} from 'node:tls';
import type {Task} from '../../../sdk/index.js';
import {randomUuid} from '../../../sdk/values/random-uuid.js';
import {TransientMap} from '../../../sdk/values/transient-map.js';
import {watchForCrumbs} from '../body/crumbs.js';
import {noMemoryForHeads} from '../connections/answer-broken-request.js';
import type {ClientConnection} from '../connections/client-connection.js';
import {chosenId, waitingRequestBytes, type ConnectionOwner, type Http2Bound} from '../connections/connection.js';
import type {Refusal} from '../connections/refuse-request.js';
import type {LimitName} from '../limits/http-limits.js';
import {writtenBytes} from '../node/written-bytes.js';
import {Exchange} from '../request/exchange.js';
import {LeakyBucket} from './leaky-bucket.js';
import {PendingHead} from './pending-head.js';
import {areTooLong, ReceivedFrames} from './received-frames.js';
import {resets, sessionOptions, streamsOf, windowBytes} from './session-options.js';
import {StreamCarrier, type StreamOwner} from './stream-carrier.js';
import {streamRefusal} from './stream-refusal.js';
import {StreamRequest} from './stream-request.js';
import {StreamResponse} from './stream-response.js';

// As in `listener.ts`.
const {constants, performServerHandshake} = process.getBuiltinModule('node:http2');

/** Milliseconds that a client gets to close a connection that has ended. */
const lingerMillis = 500;

function ignore(): void {}

/** One client's connection of HTTP/2. Its streams are requests that do not wait for each other. */
export class Http2Connection implements ClientConnection, StreamOwner {
  known: boolean;
  readonly #session: ServerHttp2Session;
  /** Those in progress, those whose answers have not been sent, and those that were reset while the work for them goes on. */
  readonly #streams = new TransientMap<StreamCarrier, true>();
  readonly #waiting: StreamCarrier[] = [];
  readonly #maximumStreams: number;
  readonly #broken = new LeakyBucket(resets.burst, resets.perSecond);
  readonly #frames: ReceivedFrames;
  readonly #head: PendingHead;
  #unsent = 0;
  #hasServed = false;
  #idleSince = performance.now();
  /** When the operating system last took bytes for the client, and how many it had by then. */
  #taken: {readonly at: number; readonly bytes: number} | undefined;
  #isEnding = false;
  /** Its end has been logged. */
  #isCut = false;
  #serving: Task | undefined;
  #isResting = false;

  constructor(
    readonly socket: TLSSocket,
    readonly transport: Socket,
    readonly address: string,
    readonly owner: ConnectionOwner,
  ) {
    this.known = socket.authorized;
    const {limits} = owner;
    this.#maximumStreams = streamsOf(limits);
    this.#frames = new ReceivedFrames(transport.bytesRead, transport.bytesWritten);
    this.#session = performServerHandshake(socket, sessionOptions(limits, socket.authorized));
    this.#head = new PendingHead(this.#session, transport, address, owner);
    this.#session.on('error', (error: NodeJS.ErrnoException) => this.#broke(error));
    this.#session.on('stream', this.#onStream);
    if (owner.isRetiring) this.retire();
  }

  get isIdle(): boolean {
    return this.#streams.size === 0;
  }

  get unfinished(): Iterable<Exchange> {
    return Array.from(this.#streams.keys(), ({exchange}) => exchange).filter((exchange) => exchange !== undefined);
  }

  identified(): void {
    if (!this.known) this.owner.identified(this);
  }

  unidentified(): void {
    if (this.owner.endsAnonymous) this.retire();
  }

  unsentChanged(bytes: number): void {
    this.#unsent += bytes;
    // Of a watch, whose stream goes on.
    if (bytes < 0) this.#serveWaiting();
  }

  acted(limit: LimitName | Http2Bound, what: string, details: object): void {
    this.owner.acted(limit, what, {address: this.address, ...details});
  }

  look(now: number, stallMillis: number): void {
    const {transport} = this;
    if (this.#isCut) return;
    if (this.#frames.isTooMuch(transport.bytesRead, transport.bytesWritten, now))
      return this.#cutFor('http2Overhead', 'a connection was cut that sends frames instead of requests');
    const late = this.#head.look(now);
    if (late !== undefined) return this.#cutFor(late, 'a connection was cut in the middle of the head of a request');
    if (!this.isIdle) return this.#cutStalled(now, stallMillis);
    const {limits} = this.owner;
    if (!this.#isEnding && now - this.#idleSince >= (this.#hasServed ? limits.idleTimeout : limits.headersTimeout)) this.end();
  }

  #cutStalled(now: number, stallMillis: number): void {
    const bytes = writtenBytes(this.transport);
    if (this.transport.bytesWritten === bytes) this.#taken = undefined;
    else if (this.#taken?.bytes !== bytes) this.#taken = {at: now, bytes};
    else if (now - this.#taken.at >= stallMillis)
      return this.#cutFor('stallTimeout', 'a connection was cut whose client takes nothing of its answers');
    for (const stream of this.#streams.keys()) stream.cutStalled(now, stallMillis);
  }

  /** The client learns which of its requests have been taken: it may repeat what it has sent behind them elsewhere, whatever it was. */
  retire(): void {
    this.end();
  }

  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (!this.#session.destroyed) this.#session.close();
    this.#leaveIfIdle();
  }

  closed(): void {
    this.#isEnding = true;
    this.#head.close();
    for (const carrier of this.#waiting.splice(0)) this.#dropWaiting(carrier);
    for (const carrier of this.#streams.keys()) {
      carrier.isHandled = true;
      this.#over(carrier);
    }
  }

  readonly #onStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: readonly string[]): void => {
    this.#head.seen(stream.id!);
    // It closes, which is enough to know.
    stream.on('error', ignore);
    const request = new StreamRequest(stream, headers, rawHeaders, this.socket);
    this.#frames.request(request.headBytes, request.hasBody ? windowBytes : 0);
    // Reset already.
    if (stream.destroyed || stream.closed) return this.#brokeOff();
    if (this.#streams.size + this.#waiting.length >= 2 * this.#maximumStreams) {
      this.acted('http2MaxStreamsPerConnection', 'a stream was refused: those before it have been reset, but not their work', {});
      stream.once('close', () => this.#brokeOff());
      return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    }
    const carrier = new StreamCarrier(stream, request, new StreamResponse(stream, this.socket, request.method === 'HEAD'), this);
    // Of an answer to HEAD, Node ends the body before there is a head.
    if (request.method !== 'HEAD') stream.once('finish', () => this.#over(carrier));
    stream.once('close', () => this.#over(carrier));
    if (request.hasBody) this.#readBody(carrier);
    if (this.#waiting.length > 0 || !this.#mayServe()) this.#wait(carrier);
    else this.#serve(carrier);
  };

  /** Each part of a body is seen when it comes, though somebody may read it much later, or never. */
  #readBody(carrier: StreamCarrier): void {
    const {stream, request} = carrier;
    watchForCrumbs(request as unknown as IncomingMessage, () => this.#cut());
    request.receive((bytes) => {
      this.#frames.part(bytes);
      carrier.holdUnread(request.readableLength);
      if (request.readableLength > 0 && this.owner.bodies.isFull) this.#refuseBody(carrier);
    });
    request.once('end', () => carrier.holdUnread(0));
    stream.once('trailers', (trailers: IncomingHttpHeaders) => {
      if (areTooLong(trailers)) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  }

  /** As soon as it is read, whoever reads it asks for room; until then it has what is left. */
  #refuseBody({stream}: StreamCarrier): void {
    this.acted('maxBodyBytesInAll', 'a stream was reset whose body nobody has read yet', {});
    stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  #mayServe(): boolean {
    if (this.#isResting || this.#unsent > this.owner.limits.maxUnsentBytesPerConnection) return false;
    if (this.#streams.size < this.owner.limits.maxUnfinishedRequests) return true;
    // Answers that need no wait would otherwise follow each other without a break.
    this.#serving ??= this.owner.scheduler.task('request', 'streams of one connection');
    const turn = this.#serving.yieldIfDue();
    if (!turn) return true;
    void this.#rest(turn);
    return false;
  }

  async #rest(turn: Promise<void>): Promise<void> {
    this.#isResting = true;
    await turn;
    this.#isResting = false;
    this.#serveWaiting();
  }

  #wait(carrier: StreamCarrier): void {
    this.#waiting.push(carrier);
    this.owner.answers.add(waitingRequestBytes);
  }

  #dropWaiting(carrier: StreamCarrier): void {
    carrier.isOver = true;
    this.owner.answers.add(-waitingRequestBytes);
  }

  #serveWaiting(): void {
    while (this.#waiting.length > 0 && this.#mayServe()) {
      const next = this.#waiting.shift()!;
      this.owner.answers.add(-waitingRequestBytes);
      this.#serve(next);
    }
  }

  #serve(carrier: StreamCarrier): void {
    const {owner} = this;
    const {request, stream, response} = carrier;
    const incoming = request as unknown as IncomingMessage;
    const wasIdle = this.isIdle;
    this.#streams.set(carrier, true);
    this.#hasServed = true;
    const exchange = new Exchange(chosenId(incoming) || randomUuid(), incoming, response as unknown as ServerResponse, carrier);
    carrier.exchange = exchange;
    if (wasIdle) owner.busyChanged(this);
    const refused = streamRefusal(request, owner.limits) ?? this.#countHead(carrier);
    if (!refused && request.headers.expect !== undefined) stream.additionalHeaders({':status': constants.HTTP_STATUS_CONTINUE});
    carrier.isHandled = false;
    // Drawn for each request, as kube-apiserver does.
    if (owner.goawayChance > 0 && Math.random() < owner.goawayChance) this.retire();
    const handled = owner.handle(exchange, refused);
    if (handled) void handled.then(() => this.#handled(carrier));
    else this.#handled(carrier);
  }

  #countHead(carrier: StreamCarrier): Refusal | undefined {
    const bytes = carrier.request.headBytes;
    const limit = this.#head.take(bytes);
    if (limit !== undefined) return {code: 429, text: noMemoryForHeads, limit};
    carrier.headBytes = bytes;
    return undefined;
  }

  #handled(carrier: StreamCarrier): void {
    carrier.isHandled = true;
    if (carrier.isOver) this.#leave(carrier);
  }

  /** Its answer has been passed to the operating system, or nothing more of it will be. */
  #over(carrier: StreamCarrier): void {
    if (carrier.isOver) return;
    const {exchange, stream, response, request} = carrier;
    carrier.isOver = true;
    carrier.holdUnread(0);
    // The stream may close before Node says that its last bytes have been passed on.
    const isComplete = response.writableEnded && !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR;
    if (!isComplete) this.#brokeOff();
    if (!exchange) {
      // It has waited until now.
      this.#waiting.splice(this.#waiting.indexOf(carrier), 1);
      return this.#dropWaiting(carrier);
    }
    if (!isComplete) exchange.abort();
    // Nobody reads the rest of its body. Not behind one that was read: clients bound the streams that are reset.
    else if (request.hasBody && !request.complete && !stream.destroyed) stream.close(constants.NGHTTP2_NO_ERROR);
    this.#head.release(carrier.headBytes);
    exchange.finish();
    if (carrier.isHandled) this.#leave(carrier);
  }

  #leave(carrier: StreamCarrier): void {
    if (!this.#streams.delete(carrier)) return;
    this.#serveWaiting();
    if (!this.isIdle) return;
    this.#idleSince = performance.now();
    this.owner.busyChanged(this);
    this.#leaveIfIdle();
  }

  /** A client that hears of the end closes its connection; others do not keep it. */
  #leaveIfIdle(): void {
    if (this.#isEnding && this.isIdle && !this.socket.destroyed) setTimeout(() => this.socket.destroy(), lingerMillis).unref();
  }

  /** A stream has ended before its answer. Who makes a habit of that has work done for nothing. */
  #brokeOff(): void {
    if (!this.#isEnding && this.#broken.add(1))
      this.#cutFor('http2Resets', 'a connection was cut whose streams are reset one after the other');
  }

  /** Node's library has its own bounds besides the rules of the protocol, and says the same of both. */
  #broke({code, message}: NodeJS.ErrnoException): void {
    if (code?.startsWith('ERR_HTTP2') && !this.#isCut)
      this.acted('http2Protocol', 'a connection was cut that breaks a rule of HTTP/2, or floods its library', {error: message});
    this.socket.destroy();
  }

  #cutFor(limit: LimitName | Http2Bound, what: string): void {
    this.acted(limit, what, {streams: this.#streams.size, unsent: this.#unsent});
    this.#cut();
  }

  #cut(): void {
    this.#isEnding = true;
    this.#isCut = true;
    if (!this.#session.destroyed) this.#session.destroy(new Error('the client has reached a bound'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
    // What is unsent would otherwise be waited for.
    setImmediate(() => this.socket.destroy());
  }
}
