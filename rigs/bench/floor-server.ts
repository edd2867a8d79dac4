// The floor of the benchmark: a bare https server that parses what it is sent, answers the same bytes as Orch and does nothing else. What a request
// costs here is what TLS, HTTP and JSON cost in this runtime; only the rest can be Orch's.
//
//   node floor-server.js CONFIG.json
import {readFileSync} from 'node:fs';
import {createServer} from 'node:https';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {sequenceDigits, sequenceMarker} from './work.js';

/** Bytes to answer with, taken from the real server, and the server's credentials. */
export interface FloorConfig {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly item: string;
  readonly list: string;
  /** The same of large objects, for paths that say `-large`. */
  readonly large?: {readonly item: string; readonly list: string};
  /** The same of Secrets. */
  readonly secrets?: {readonly item: string; readonly list: string};
}

const config = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as FloorConfig;
const small = {item: Buffer.from(config.item), list: Buffer.from(config.list)};
const large = config.large ? {item: Buffer.from(config.large.item), list: Buffer.from(config.large.list)} : small;
const secrets = config.secrets ? {item: Buffer.from(config.secrets.item), list: Buffer.from(config.secrets.list)} : small;
const answersOf = (url: string) => (url.includes('-large/') ? large : url.includes('/secrets') ? secrets : small);
const marker = Buffer.from(sequenceMarker);
const event = Buffer.from(`{"type":"MODIFIED","object":${config.item.trim()}}\n`);
const eventNumberAt = event.indexOf(marker) + marker.length;
const watchers = new Set<ServerResponse>();

function answer(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, {'content-type': 'application/json', 'content-length': body.length});
  response.end(body);
}

function watch(response: ServerResponse): void {
  response.writeHead(200, {'content-type': 'application/json', 'transfer-encoding': 'chunked'});
  response.flushHeaders();
  watchers.add(response);
  response.once('close', () => watchers.delete(response));
}

/** Sends one event with the number that the update carries to all watchers. */
function tellWatchers(body: Buffer): void {
  if (watchers.size === 0) return;
  const at = body.indexOf(marker);
  if (at < 0 || eventNumberAt < marker.length) return;
  const own = Buffer.from(event);
  body.copy(own, eventNumberAt, at + marker.length, at + marker.length + sequenceDigits);
  for (const watcher of watchers) watcher.write(own);
}

function write(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    // A server that knows nothing of an object has to read it all the same.
    if (body.length > 0) JSON.parse(body.toString());
    answer(response, request.method === 'POST' ? 201 : 200, answersOf(request.url!).item);
    tellWatchers(body);
  });
}

const server = createServer(
  // Connections wait while watches are opened: they must outlive that, as those of the real server do.
  {
    ca: config.ca,
    cert: config.cert,
    key: config.key,
    requestCert: true,
    rejectUnauthorized: true,
    keepAlive: true,
    keepAliveTimeout: 120_000,
  },
  (request, response) => {
    if (request.method !== 'GET') return write(request, response);
    const url = request.url!;
    if (url.includes('watch=1')) watch(response);
    else if (/\/(?:configmaps|secrets)\//.test(url)) answer(response, 200, answersOf(url).item);
    else answer(response, 200, answersOf(url).list);
  },
);
server.listen(0, '127.0.0.1', () => {
  console.log(`ready https://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
