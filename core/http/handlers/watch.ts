import {randomInt} from 'node:crypto';
import {StatusError} from '../../../sdk/index.js';
import type {WatchHandle} from '../../storage/watch/watch-query.js';
import {listRequest, type ListParameters} from '../options/list-options.js';
import {negotiateForm} from '../representation/form.js';
import {frameEncoder, isBinary, watchContentType} from '../representation/watch-frames.js';
import type {KindFigures} from '../metrics/watch-figures.js';
import {requireAnswerRoom} from '../response/answer-room.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {ResourceHandler, ResourceRequest} from './resource-request.js';
import {acceptWebSocket, asksForWebSocket, WatchSocket} from './watch-socket.js';
import {WatchStream, type WatchOutput} from './watch-stream.js';

/** A watch without `timeoutSeconds` lasts between 30 and 60 minutes, so that clients do not all reconnect at once. */
const defaultTimeoutSeconds = {minimum: 1800, maximum: 3600};
/** What a client gets that comes to a process which another one replaces: enough for what there is. */
const retiringSeconds = 1;
const longestTimerSeconds = 2 ** 31 / 1000 - 1;

/** What a watch consists of once it is open. */
interface OpenWatch {
  readonly handle: WatchHandle;
  readonly output: WatchOutput;
  readonly figures: KindFigures;
  readonly parameters: ListParameters;
}

/**
 * GET of a collection or of one object with `watch`: streams events until the client disconnects, the time is over or the server stops.
 *
 * What is needed to open it only is out of scope once it is open: there may be thousands, for an hour each.
 */
export const serveWatch: ResourceHandler = (request) => open(request).then((opened) => opened && lasting(opened, request.exchange));

/** Undefined if the stream has ended with the error. */
async function open({exchange, resource, services}: ResourceRequest): Promise<OpenWatch | undefined> {
  const {served} = resource;
  const representation = negotiateForm(exchange, served.version.schema, services.naming, 'watch');
  const parameters = listRequest(exchange.query);
  const encoder = frameEncoder(served, representation, exchange.cbor);
  const {namespace, name} = exchange.info;
  const begin = resource.watch(namespace, {...parameters, name, encoder});
  requireAnswerRoom(exchange);
  const figures = services.watches.of(exchange.info.version, served.type);
  const isSocket = asksForWebSocket(exchange);
  const output: WatchOutput = isSocket
    ? new WatchSocket(exchange, await acceptWebSocket(exchange), isBinary(representation), figures)
    : new WatchStream(exchange, watchContentType(representation), figures);
  try {
    const handle = await begin(output);
    // It may last for hours; only its start is worth tracing.
    if (exchange.trace?.isExported) exchange.trace.step('open');
    else exchange.trace = undefined;
    return {handle, output, figures, parameters};
  } catch (thrown) {
    // A WebSocket has no HTTP response any more. Clients that ask for bookmarks expect an event, and would treat an HTTP error as temporary
    // (docs/decisions/0022).
    if ((!isSocket && !parameters.allowWatchBookmarks) || !StatusError.is(thrown)) throw thrown;
    output.end(encoder.error(thrown));
    return undefined;
  }
}

/** Resolves when the watch is over. */
function lasting({handle, output, figures, parameters}: OpenWatch, exchange: AuthenticatedExchange): Promise<void> {
  const {timeoutSeconds, allowWatchBookmarks} = parameters;
  output.begin();
  const wanted = timeoutSeconds || randomInt(defaultTimeoutSeconds.minimum, defaultTimeoutSeconds.maximum + 1);
  const end = () => {
    if (allowWatchBookmarks) handle.bookmark();
    handle.close();
    output.end();
  };
  const seconds = Math.min(wanted, exchange.isRetiring ? retiringSeconds : longestTimerSeconds);
  const timer = setTimeout(end, seconds * 1000);
  exchange.whenRetiring = end;
  figures.begin();
  return output.closed.then(() => {
    clearTimeout(timer);
    exchange.whenRetiring = undefined;
    handle.close();
    figures.end();
  });
}
