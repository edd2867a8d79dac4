import {cborCodec} from '../../../core/api/cbor/cbor-codec.js';
import {atOnce} from '../../../sdk/values/interruptible.js';
import type {IncomingHttpHeaders} from 'node:http';
import {gunzipSync} from 'node:zlib';
import {load} from 'js-yaml';
import {openBinary, text} from '../protobuf-reader.js';
import type {FuzzRequest} from './requests.js';

/** A complete response. */
export interface FuzzResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface FailureBody {
  readonly kind?: unknown;
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
}

/** More than any answer has when it is unpacked. */
const unpackedBytes = 512 * 1024 * 1024;

const protobufType = /^application\/vnd\.(?:orch|kubernetes)\.protobuf/;

/** What is wrong with a response, in words; undefined when it is as it should be. */
export function faultOf(request: Pick<FuzzRequest, 'method'>, {status, headers, body: sent}: FuzzResponse): string | undefined {
  const type = headers['content-type'] ?? '';
  if (status === 500 || status === 503 || status > 504) return `answered ${status}`;
  if (status === 304 || request.method === 'HEAD') return sent.length > 0 ? 'has a body' : undefined;
  const body = headers['content-encoding'] === 'gzip' ? unpacked(sent) : sent;
  if (!body) return 'a body that says it is compressed cannot be unpacked';
  if (status < 400) return successFault(type, body);
  if (type.startsWith('text/plain'))
    return status === 404 && body.toString() === '404 page not found\n'
      ? undefined
      : `a failure in plain text: ${body.toString().slice(0, 100)}`;
  const failure = readFailure(type, body);
  if (typeof failure === 'string') return failure;
  const complete =
    failure.kind === 'Status' &&
    failure.status === 'Failure' &&
    typeof failure.reason === 'string' &&
    failure.reason !== '' &&
    typeof failure.message === 'string' &&
    failure.message !== '';
  if (!complete || failure.code !== status) return `the failure is not a Status of ${status}: ${JSON.stringify(failure).slice(0, 200)}`;
  return status === 504 && headers['retry-after'] === undefined && !/did not complete/.test(String(failure.message))
    ? 'a 504 does not say when to come back'
    : undefined;
}

function unpacked(body: Buffer): Buffer | undefined {
  try {
    return gunzipSync(body, {maxOutputLength: unpackedBytes});
  } catch {
    return undefined;
  }
}

function successFault(type: string, body: Buffer): string | undefined {
  try {
    if (protobufType.test(type) && !type.includes('stream=watch')) openBinary(body);
    else if (type.startsWith('application/cbor')) return cborFault(type, body);
    else if (type.startsWith('application/yaml')) load(body.toString());
    else if (type.startsWith('application/json'))
      for (const line of body.toString().split(/\n(?=\{"type":)/)) if (line.trim() !== '') JSON.parse(line);
    return undefined;
  } catch (error) {
    return `a body of ${type} cannot be read: ${(error as Error).message}: ${body.toString().slice(0, 200)}`;
  }
}

function readFailure(type: string, body: Buffer): FailureBody | string {
  try {
    if (type.startsWith('application/json')) return JSON.parse(body.toString()) as FailureBody;
    if (type.startsWith('application/yaml')) return load(body.toString()) as FailureBody;
    if (type.startsWith('application/cbor')) return readCborFailure(body);
    if (!protobufType.test(type)) return `a failure of the type ${type}`;
    const {kind, raw} = openBinary(body);
    return {kind, status: text(raw, 2), message: text(raw, 3), reason: text(raw, 4), code: Number(raw.get(6)![0])};
  } catch (error) {
    return `a failure of ${type} cannot be read: ${(error as Error).message}`;
  }
}

const bounds = {depth: 1_000, values: 10_000_000};

function readCborFailure(body: Buffer): FailureBody | string {
  const {value, fault} = atOnce(cborCodec.read(body, bounds, false));
  return fault === undefined ? (value as FailureBody) : `a failure in CBOR cannot be read: ${fault}`;
}

function cborFault(type: string, body: Buffer): string | undefined {
  if (type.startsWith('application/cbor-seq')) return undefined;
  const {fault} = atOnce(cborCodec.read(body, bounds, false));
  return fault && `a body of ${type} cannot be read: ${fault}`;
}
