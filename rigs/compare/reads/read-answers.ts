import {load} from 'js-yaml';
import type {HttpsResponse} from '../../../test/helpers/https-client.js';
import type {ReadRequest} from './read-requests.js';

/** What a client can see of the answer to a read, without what differs from server to server. */
export interface ReadAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A document, the events of a watch, or text. */
  readonly body: unknown;
}

const shownHeaders = [
  'content-type',
  'vary',
  'retry-after',
  'warning',
  'allow',
  'location',
  'content-encoding',
  'x-content-type-options',
  'cache-control',
];
const ownMembers = new Set(['managedFields', 'selfLink']);

/** @param response to `request` */
export function readAnswerOf({method, headOnly}: ReadRequest, {status, headers, body, text}: HttpsResponse): ReadAnswer {
  const shown = Object.fromEntries(shownHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));
  const head = {code: status, headers: {...shown, ...(headers['etag'] === undefined ? {} : {etag: '<etag>'})}};
  if (method === 'HEAD') return {...head, body: ''};
  const type = shown['content-type'] ?? '';
  if (headOnly && status < 400) return {...head, body: type.includes('json') ? typeMeta(text) : ''};
  if (body.subarray(0, 4).toString('latin1') === 'k8s\0') return {...head, body: `protobuf ${unknownOf(body)}`};
  if (type.includes('protobuf')) return {...head, body: binaryEvents(body)};
  if (type.startsWith('application/yaml')) return {...head, body: {yaml: neutral(load(text))}};
  if (type.startsWith('application/json')) return {...head, body: documents(text)};
  return {...head, body: withoutChance(text)};
}

function typeMeta(text: string): unknown {
  const {kind, apiVersion} = JSON.parse(text) as {kind?: string; apiVersion?: string};
  return {...(kind === undefined ? {} : {kind}), ...(apiVersion === undefined ? {} : {apiVersion})};
}

function documents(text: string): unknown {
  try {
    return neutral(JSON.parse(text));
  } catch {
    const lines = text.split('\n').filter((line) => line !== '');
    // Several lines of JSON are the events of a watch.
    return lines.every((line) => line.startsWith('{') && line.endsWith('}'))
      ? ordered(lines.map((line) => neutral(JSON.parse(line))))
      : text;
  }
}

/** Events of what existed before a watch come in any order. */
function ordered(events: readonly unknown[]): unknown[] {
  const isFirst = (event: unknown) => (event as {type?: string}).type === 'ADDED';
  const end = events.findIndex((event) => !isFirst(event));
  const first = end < 0 ? events.length : end;
  const texts = (some: readonly unknown[]) => some.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return [...texts(events.slice(0, first)), ...events.slice(first)];
}

function nameOf(event: unknown): string {
  const {object} = event as {object: {metadata?: {name?: string}; rows?: {cells: unknown[]}[]}};
  return object.metadata?.name ?? String(object.rows?.[0]?.cells[0]);
}

/** The `apiVersion` and `kind` of an enveloped message. */
function unknownOf(body: Buffer): string {
  const length = body[5]!;
  const meta = body.subarray(6, 6 + length);
  return `${meta.subarray(2, 2 + meta[1]!).toString()} ${meta.subarray(4 + meta[1]!).toString()}`;
}

/** The types of the events of a binary watch, and of the objects in them. */
function binaryEvents(body: Buffer): string[] {
  const events: string[] = [];
  for (let at = 0; at + 4 <= body.length;) {
    const length = body.readUInt32BE(at);
    const event = body.subarray(at + 4, at + 4 + length);
    const type = event.subarray(2, 2 + event[1]!).toString();
    const start = event.indexOf('k8s\0', 0, 'latin1');
    events.push(`${type} ${start < 0 ? '' : unknownOf(event.subarray(start))}`);
    at += 4 + length;
  }
  return events;
}

function neutral(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => neutral(one));
  if (typeof value === 'string') return neutralText(key, value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      ownMembers.has(name) || (name === 'creationTimestamp' && one === null) ? [] : [[name, neutral(one, name)]],
    ),
  );
}

function neutralText(key: string, value: string): string {
  if (key === 'resourceVersion' && /^[1-9]\d*$/.test(value)) return '<version>';
  if (key === 'continue' && value !== '') return '<token>';
  if (key === 'uid') return '<uid>';
  return withoutChance(value);
}

function withoutChance(text: string): string {
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z\b/g, '<now>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>')
    .replaceAll(/^(?:\d+[smh])+$|^<invalid>$/g, '<age>')
    .replaceAll(/current: \d+/g, 'current: <version>')
    .replaceAll(/uid: \S+/g, 'uid: <uid>')
    .replaceAll(/resourceVersion: "\d+"/g, 'resourceVersion: <version>');
}
