import {randomInt} from 'node:crypto';
import type {ServerResponse} from 'node:http';
import type {WatchHandle, WatchQuery, WatchSink, WatchStart} from '../../storage/watch/watch-query.js';
import type {Exchange} from '../exchange.js';
import {parseListParameters, levelOf, type ListParameters} from '../list-options.js';
import {negotiateForm} from '../representation/form.js';
import {frameEncoder, watchContentType} from '../representation/watch-frames.js';
import {commonHeaders} from '../respond.js';
import type {ResourceHandler} from './resource-request.js';

/** A watch without `timeoutSeconds` lasts between 30 and 60 minutes: clients are spread out when they come back. */
const defaultTimeoutSeconds = {minimum: 1800, maximum: 3600};
const longestTimerSeconds = 2 ** 31 / 1000 - 1;

/** GET of a collection or of one object with `watch`: streams events until the client goes, the time is over or the server stops. */
export const serveWatch: ResourceHandler = async ({exchange, endpoint, services}) => {
  const {version, type, storage} = endpoint;
  const representation = negotiateForm(exchange, version.schema, services.naming, 'watch');
  const parameters = parseListParameters(exchange.query, version);
  const stream = new WatchStream(exchange, watchContentType(representation));
  const query: WatchQuery = {
    ...(type.namespaced && exchange.info.namespace ? {namespace: exchange.info.namespace} : {}),
    ...(exchange.info.name ? {name: exchange.info.name} : {}),
    ...(parameters.labelSelector ? {labelSelector: parameters.labelSelector} : {}),
    ...(parameters.fieldSelector ? {fieldSelector: parameters.fieldSelector} : {}),
    start: watchStart(parameters),
    bookmarks: parameters.allowWatchBookmarks,
    initialEventsEnd: parameters.sendInitialEvents === true && parameters.allowWatchBookmarks,
    encoder: frameEncoder(version, representation),
  };
  const handle = await storage.watch(query, stream);
  await stream.run(handle, parameters);
};

/** The watch column of the table in document 1, "Resource-version semantics"; `sendInitialEvents` as newer clients use it. */
function watchStart({resourceVersion, sendInitialEvents}: ListParameters): WatchStart {
  const level = levelOf(resourceVersion);
  if (sendInitialEvents === true) return {kind: 'initial', level};
  if (typeof level === 'object') return {kind: 'after', revision: level.atLeast};
  return sendInitialEvents === false ? {kind: 'now', level} : {kind: 'initial', level};
}

/** The response of a watch. Headers go out with or before the first frame, at once: clients wait for them. */
class WatchStream implements WatchSink {
  readonly #response: ServerResponse;
  readonly #ended = Promise.withResolvers<void>();

  constructor(private readonly exchange: Exchange, private readonly contentType: string) {
    this.#response = exchange.response;
    this.#response.once('close', () => this.#ended.resolve());
  }

  get queuedBytes(): number {
    return this.#response.writableLength;
  }

  write(chunk: Buffer): void {
    this.#sendHeaders();
    this.#response.write(chunk);
  }

  onceDrained(resume: () => void): void {
    if (this.#response.writableNeedDrain) this.#response.once('drain', resume);
    else setImmediate(resume);
  }

  end(frame?: Buffer): void {
    this.#sendHeaders();
    this.#response.end(frame);
    this.#ended.resolve();
  }

  /** Resolves when the watch is over. */
  async run(handle: WatchHandle, {timeoutSeconds, allowWatchBookmarks}: ListParameters): Promise<void> {
    if (this.#response.destroyed || this.#response.writableEnded) return handle.close();
    this.#sendHeaders();
    const seconds = timeoutSeconds || randomInt(defaultTimeoutSeconds.minimum, defaultTimeoutSeconds.maximum + 1);
    const timer = setTimeout(() => {
      if (allowWatchBookmarks) handle.bookmark();
      handle.close();
      this.#response.end();
      this.#ended.resolve();
    }, Math.min(seconds, longestTimerSeconds) * 1000);
    await this.#ended.promise;
    clearTimeout(timer);
    handle.close();
  }

  #sendHeaders(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, [...commonHeaders(this.exchange, this.contentType), 'Transfer-Encoding', 'chunked']);
    this.#response.flushHeaders();
  }
}
