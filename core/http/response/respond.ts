import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import {encodeJson, encodePretty} from '../../api/codec/json.js';
import type {Exchange} from '../request/exchange.js';
import {wantsPretty} from '../options/pretty.js';
import {buffersOf, joinParts, partsOf, slicesOf, type BodyParts, type BodySlice} from './response-buffers.js';
import {giveUpBody, leavesBodyUnread} from './unread-body.js';
import {compressedSliceBytes, sendCompressed, sendSlices, sliceBytes} from './send-slices.js';
import {addVary} from './vary.js';

const compress = promisify(gzip);
/** Bodies from this size on are compressed for clients that accept it; below, it is not worth the time. */
export const gzipThreshold = 128 * 1024;
/** Bodies from this size on are sent in a write of their own. */
const separateHeadThreshold = 64 * 1024;
/** Bodies from this size on are sent in slices. */
const slicesThreshold = 2 * sliceBytes;
/** The default cache headers: most responses may change and are for one user. */
const notCached = 'no-cache, private';

/** Writes a complete response. */
export function respond(exchange: Exchange, code: number, contentType: string, body: Buffer): void | Promise<void> {
  const recorded = exchange.audit?.answered(code, isJson(contentType) ? [body] : undefined);
  return recorded ? recorded.then(() => send(exchange, code, contentType, body)) : send(exchange, code, contentType, body);
}

function send(exchange: Exchange, code: number, contentType: string, body: Buffer): void | Promise<void> {
  if (body.length > slicesThreshold)
    return respondInSlices(exchange, code, contentType, {parts: partsOf([body]), length: body.length, held: body.length});
  if (body.length >= gzipThreshold && acceptsGzip(exchange)) return respondCompressed(exchange, code, contentType, body);
  finish(exchange, code, contentType, body);
}

/**
 * Writes a complete response whose body consists of the given parts.
 *
 * @param held bytes of them that are in memory only for this response: those of cached objects are shared
 */
export function respondParts(
  exchange: Exchange,
  code: number,
  contentType: string,
  parts: BodyParts,
  length: number,
  held = 0,
): void | Promise<void> {
  const {audit} = exchange;
  const recorded = audit?.answered(code, audit.keepsResponses && isJson(contentType) ? buffersOf(parts) : undefined);
  const sendAll = () => sendParts(exchange, code, contentType, {parts, length, held});
  return recorded ? recorded.then(sendAll) : sendAll();
}

function sendParts(exchange: Exchange, code: number, contentType: string, {parts, length, held}: LargeBody): void | Promise<void> {
  if (length > slicesThreshold) return respondInSlices(exchange, code, contentType, {parts, length, held});
  const {bytes, release} = joinParts(parts, length);
  // Not when the connection breaks: the system may still be reading.
  exchange.response.once('finish', release);
  return send(exchange, code, contentType, bytes);
}

/** Writes a JSON document created for this response. */
export function respondJson(exchange: Exchange, code: number, document: unknown): void | Promise<void> {
  const text = wantsPretty(exchange) ? encodePretty(document) : `${encodeJson(document)}\n`;
  return respond(exchange, code, 'application/json', Buffer.from(text));
}

export function respondText(exchange: Exchange, code: number, text: string): void {
  onceRecorded(exchange, code, () => finish(exchange, code, 'text/plain; charset=utf-8', Buffer.from(text)));
}

/** 404 where nothing is, in plain text as Go's servers answer. */
export function respondNothingThere(exchange: Exchange): void {
  exchange.response.setHeader('X-Content-Type-Options', 'nosniff');
  respondText(exchange, 404, '404 page not found\n');
}

/** 304: the client's copy is still valid. */
export function respondNotModified(exchange: Exchange): void {
  const {response, id} = exchange;
  response.statusCode = 304;
  response.setHeader('Audit-Id', id);
  setFlowHeaders(exchange);
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', notCached);
  onceRecorded(exchange, 304, () => response.end());
}

/** A permanent redirect. `location` is a path and query on this server. */
export function respondMoved(exchange: Exchange, location: string): void {
  exchange.response.setHeader('Location', location);
  onceRecorded(exchange, 301, () => finish(exchange, 301, 'text/plain; charset=utf-8', Buffer.alloc(0)));
}

/** For responses that are not written here. */
export function setFlowHeaders({response, flowHeaders}: Exchange): void {
  for (let index = 0; index < flowHeaders.length; index += 2) response.setHeader(flowHeaders[index]!, flowHeaders[index + 1]!);
}

/** Headers that every response carries, as a flat list. */
export function commonHeaders(exchange: Exchange, contentType: string): string[] {
  const headers = ['Audit-Id', exchange.id, 'Content-Type', contentType, ...exchange.flowHeaders];
  if (!exchange.response.hasHeader('Cache-Control')) headers.push('Cache-Control', notCached);
  for (const text of exchange.warnings) headers.push('Warning', warningHeader(text));
  return headers;
}

async function respondCompressed(exchange: Exchange, code: number, contentType: string, body: Buffer): Promise<void> {
  const compressed = await compress(body, {level: 1});
  // The time of the request may be over, and that was answered.
  if (exchange.response.headersSent) return;
  sayCompressed(exchange);
  finish(exchange, code, contentType, compressed);
}

/** A body of which only the beginning is made. */
export interface PiecedBody {
  readonly first: BodyParts;
  /** Makes the rest when it is asked for, in batches of about so many bytes. */
  rest(bytes: number): AsyncIterable<BodyParts>;
  /** Of all of it; undefined if it is not known. */
  readonly length: number | undefined;
  /** Bytes of `first` that are in memory only for this response. */
  readonly held: number;
}

/** Writes a complete response whose body is made as its client reads it. What fails while it is made ends the connection. */
export function respondPieces(exchange: Exchange, code: number, contentType: string, body: PiecedBody): void | Promise<void> {
  const recorded = exchange.audit?.answered(code, undefined);
  const sendIt = () => {
    const compressed = acceptsGzip(exchange);
    const size = compressed ? compressedSliceBytes : sliceBytes;
    sendAsRead(exchange, code, contentType, {
      compressed,
      length: body.length,
      slices: slicesOfPieces(exchange, body, size),
      held: size + body.held,
    });
  };
  return recorded ? recorded.then(sendIt) : sendIt();
}

/** Writes a response whose body is in the form of gzip already, and made as its client reads it. */
export function respondPacked(
  exchange: Exchange,
  code: number,
  contentType: string,
  slices: AsyncIterable<BodySlice>,
): void | Promise<void> {
  const recorded = exchange.audit?.answered(code, undefined);
  const sendIt = () => {
    sayCompressed(exchange);
    if (!writeHead(exchange, code, contentType, undefined)) return;
    sendSlices(exchange, slices, 0).catch(() => exchange.carrier.cut());
  };
  return recorded ? recorded.then(sendIt) : sendIt();
}

async function* slicesOfPieces(exchange: Exchange, {first, rest, length}: PiecedBody, size: number): AsyncGenerator<BodySlice, void, void> {
  let made = 0;
  const counted = function* (parts: BodyParts) {
    for (const slice of slicesOf(parts, size)) {
      made += slice.bytes.length;
      if (length === undefined) exchange.answerBytes = made;
      yield slice;
    }
  };
  yield* counted(first);
  for await (const batch of rest(size)) yield* counted(batch);
}

interface LargeBody {
  readonly parts: BodyParts;
  /** Of all parts together. */
  readonly length: number;
  /** Bytes of them that are in memory only for this response. */
  readonly held: number;
}

/**
 * A body that is produced or encrypted one slice at a time, as fast as the client reads it. The request itself has been processed when that
 * begins.
 */
function respondInSlices(exchange: Exchange, code: number, contentType: string, {parts, length, held}: LargeBody): void {
  const compressed = acceptsGzip(exchange);
  const slices = slicesOf(parts, compressed ? compressedSliceBytes : sliceBytes);
  sendAsRead(exchange, code, contentType, {compressed, length, slices, held});
}

interface SlicedBody {
  readonly compressed: boolean;
  readonly length: number | undefined;
  readonly slices: Iterable<BodySlice> | AsyncIterable<BodySlice>;
  readonly held: number;
}

function sendAsRead(exchange: Exchange, code: number, contentType: string, {compressed, length, slices, held}: SlicedBody): void {
  exchange.answerBytes = length;
  if (compressed) sayCompressed(exchange);
  if (!writeHead(exchange, code, contentType, compressed ? undefined : length)) return;
  const sent = compressed ? sendCompressed(exchange, slices, held) : sendSlices(exchange, slices, held);
  sent.catch(() => exchange.carrier.cut());
}

function sayCompressed({response}: Exchange): void {
  response.setHeader('Content-Encoding', 'gzip');
  addVary(response, 'Accept-Encoding');
}

/** Writes the headers of a response. Returns false if no body follows. @param length of the body; undefined if unknown */
function writeHead(exchange: Exchange, code: number, contentType: string, length: number | undefined): boolean {
  const {response} = exchange;
  if (response.headersSent || response.destroyed) return false;
  exchange.working();
  if (leavesBodyUnread(exchange)) giveUpBody(exchange);
  const headers = commonHeaders(exchange, contentType);
  if (length !== undefined) headers.push('Content-Length', String(length));
  const common = headers.length;
  for (const name of response.getHeaderNames()) if (!isAmong(headers, common, name)) headers.push(name, String(response.getHeader(name)));
  response.writeHead(code, headers);
  if (exchange.method !== 'HEAD') return true;
  response.end();
  return false;
}

/** Whether a flat list has a header among its first elements: what a plugin was to send with its own answer goes with this one as well. */
function isAmong(headers: readonly string[], length: number, name: string): boolean {
  for (let index = 0; index < length; index += 2) if (headers[index]!.toLowerCase() === name) return true;
  return false;
}

function finish(exchange: Exchange, code: number, contentType: string, body: Buffer): void {
  const {response} = exchange;
  exchange.answerBytes = body.length;
  if (!writeHead(exchange, code, contentType, body.length)) return;
  exchange.holdAnswer(body.length);
  // On its own, a large body is encrypted in place; together with the headers, Node would copy both into new memory first.
  if (body.length >= separateHeadThreshold) response.flushHeaders();
  response.end(body);
}

/** Sends an answer without a body that is recorded. */
function onceRecorded({audit}: Exchange, code: number, sendIt: () => void): void {
  const recorded = audit?.answered(code, undefined);
  if (recorded) void recorded.then(sendIt);
  else sendIt();
}

/** Streams of events and text are recorded without what they say. */
function isJson(contentType: string): boolean {
  return contentType.startsWith('application/json');
}

/** Whether the client takes answers in the form of gzip. */
export function acceptsGzip(exchange: Exchange): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(exchange.header('accept-encoding') ?? '');
}

/** A warning in the form of RFC 7234, code 299: quoted, control characters left out, other than ASCII as UTF-8 bytes. */
function warningHeader(text: string): string {
  const quoted = text
    .replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"');
  return `299 - "${Buffer.from(quoted, 'utf8').toString('latin1')}"`;
}
