import {randomInt} from 'node:crypto';
import {StatusError} from '../../../sdk/index.js';
import {toStatusError} from '../../registry/store-errors.js';
import type {FrameEncoder} from '../../storage/watch/frame-encoder.js';
import type {WatchHandle, WatchQuery, WatchStart} from '../../storage/watch/watch-query.js';
import {freshnessOf, parseListParameters, type ListParameters} from '../list-options.js';
import {negotiateForm} from '../representation/form.js';
import {frameEncoder, watchContentType} from '../representation/watch-frames.js';
import type {ResourceHandler, ResourceRequest} from './resource-request.js';
import {requireAnswerRoom} from '../response/answer-room.js';
import {acceptWebSocket, asksForWebSocket, WatchSocket} from './watch-socket.js';
import {WatchStream, type WatchOutput} from './watch-stream.js';

/** A watch without `timeoutSeconds` lasts between 30 and 60 minutes: clients are spread out when they come back. */
const defaultTimeoutSeconds = {minimum: 1800, maximum: 3600};
const longestTimerSeconds = 2 ** 31 / 1000 - 1;

/** GET of a collection or of one object with `watch`: streams events until the client goes, the time is over or the server stops. */
export const serveWatch: ResourceHandler = async (request) => {
  const {exchange, served, services} = request;
  const representation = negotiateForm(exchange, served.version.schema, services.naming, 'watch');
  const parameters = parseListParameters(exchange.query, served.version, 'watch');
  const encoder = frameEncoder(served, representation);
  const query = watchQuery(request, parameters, encoder);
  const {renewals} = served.storage;
  requireAnswerRoom(exchange);
  const isSocket = asksForWebSocket(exchange);
  const output: WatchOutput = isSocket
    ? new WatchSocket(exchange, await acceptWebSocket(exchange), representation.offer.form === 'protobuf')
    : new WatchStream(exchange, watchContentType(representation));
  try {
    await run(await served.storage.watch(query, output, renewals), output, parameters);
  } catch (thrown) {
    // On a WebSocket HTTP is over. Clients that ask for bookmarks expect to be told by an event, and take an answer for a passing fault (docs/decisions/0022).
    if (!isSocket && !parameters.allowWatchBookmarks) throw thrown;
    const error = toStatusError(thrown, {group: served.type.group, resource: served.type.plural});
    if (!StatusError.is(error)) throw thrown;
    output.end(encoder.error(error));
  }
};

function watchQuery({exchange, served}: ResourceRequest, parameters: ListParameters, encoder: FrameEncoder): WatchQuery {
  const {info} = exchange;
  return {
    ...(served.view.convertsOutOfProcess ? {view: served.view} : {}),
    ...(served.type.namespaced && info.namespace ? {namespace: info.namespace} : {}),
    ...(info.name ? {name: info.name} : {}),
    ...(parameters.labelSelector ? {labelSelector: parameters.labelSelector} : {}),
    ...(parameters.fieldSelector ? {fieldSelector: parameters.fieldSelector} : {}),
    start: watchStart(parameters),
    bookmarks: parameters.allowWatchBookmarks,
    initialEventsEnd: parameters.sendInitialEvents === true && parameters.allowWatchBookmarks,
    encoder,
  };
}

/** Where a watch begins (docs/semantics/versions.md#watches); `sendInitialEvents` as newer clients use it. */
function watchStart({resourceVersion, sendInitialEvents}: ListParameters): WatchStart {
  const freshness = freshnessOf(resourceVersion);
  if (sendInitialEvents === true) return {kind: 'initial', freshness};
  if (typeof freshness === 'object') return {kind: 'after', revision: freshness.atLeast};
  return sendInitialEvents === false ? {kind: 'now', freshness} : {kind: 'initial', freshness};
}

/** Resolves when the watch is over. */
async function run(handle: WatchHandle, output: WatchOutput, {timeoutSeconds, allowWatchBookmarks}: ListParameters): Promise<void> {
  output.begin();
  const seconds = timeoutSeconds || randomInt(defaultTimeoutSeconds.minimum, defaultTimeoutSeconds.maximum + 1);
  const timer = setTimeout(
    () => {
      if (allowWatchBookmarks) handle.bookmark();
      handle.close();
      output.end();
    },
    Math.min(seconds, longestTimerSeconds) * 1000,
  );
  await output.closed;
  clearTimeout(timer);
  handle.close();
}
