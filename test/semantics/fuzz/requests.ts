import {damaged, randomBody, type Body} from './bodies.js';
import type {Random} from '../../helpers/random.js';

/** A request as it goes out. */
export interface FuzzRequest {
  readonly method: string;
  /** Path and query: printable ASCII without blanks. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
}

const collections = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces/default/events',
  '/api/v1/namespaces/fuzz/configmaps',
  '/api/v1/namespaces',
  '/api/v1/configmaps',
  '/apis/coordination.orch/v1/namespaces/default/leases',
  '/apis/examples.example.com/v1/namespaces/default/widgets',
  '/apis/booking.example.com/v1/namespaces/default/reservations',
  '/apis/semantics.example.com/v1/gadgets',
  '/apis/semantics.example.com/v1beta1/gadgets',
  '/apis/semantics.example.com/v1/namespaces/default/vouchers',
  '/apis/semantics.example.com/v1/namespaces/default/jobs',
];

const others = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/apis/semantics.example.com',
  '/apis/semantics.example.com/v1',
  '/version',
  '/livez',
  '/readyz?verbose',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v2',
  '/metrics',
  '/nothing',
  '/api/v1/nothings',
  '/apis/none/v1/x',
];

const names = ['a', 'a', 'a', 'b', 'b', 'c', 'default', 'fuzz', 'status', 'constructor', '__proto__'];

/** Common methods stand here more often. */
const methods = [
  ...Array<string>(10).fill('GET'),
  ...Array<string>(10).fill('POST'),
  ...Array<string>(6).fill('PUT'),
  ...Array<string>(12).fill('PATCH'),
  'DELETE',
  'DELETE',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
];

const accepts = [
  'application/json',
  '*/*',
  'application/vnd.orch.protobuf',
  'application/vnd.orch.protobuf, application/json;q=0.5',
  'application/yaml',
  'application/json;as=Table;g=meta.orch;v=v1',
  'application/json;as=Table;g=meta.orch;v=v1beta1,application/json',
  'application/json;as=PartialObjectMetadata;g=meta.orch;v=v1',
  'application/json;as=PartialObjectMetadataList;g=meta.orch;v=v1',
  'application/json;as=APIGroupDiscoveryList;g=apidiscovery.orch;v=v2',
  'text/html',
  ';',
  ',',
  'application/json;q=x',
  'a/b;c="',
  'application/*',
  'application/json;as=Table',
];

/** Values that query parameters may have, right and wrong ones. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  pretty: ['true', 'false', '', 'x'],
  dryRun: ['All', '', 'None', 'All,All'],
  fieldManager: ['me', '', 'x'.repeat(200), 'a\nb', '☃'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', '', 'x'],
  force: ['true', 'false', 'x'],
  limit: ['0', '1', '2', '500', '-1', 'x', '99999999999999999999', '1e3'],
  resourceVersion: ['', '0', '1', '5', '20', '99999', 'x', '-1', '9007199254740993', '1.5'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', '', 'x'],
  watch: ['1', 'true', 'false', '', 'x'],
  allowWatchBookmarks: ['true', 'false', 'x'],
  sendInitialEvents: ['true', 'false', 'x'],
  timeoutSeconds: ['1', '0', '-1', 'x', '99999999999'],
  timeout: ['1s', '5s', '0', 'x', '-1s', '1h', '1ns'],
  labelSelector: [
    'a',
    '!a',
    'a=b',
    'a in (b,c)',
    'a notin ()',
    'a==b,c!=d',
    ',',
    'a in',
    '(',
    'a=b=c',
    `${'a,'.repeat(50)}a`,
    'x y',
    '__proto__=1',
    'constructor',
  ],
  fieldSelector: [
    'metadata.name=a',
    'metadata.name!=a',
    'metadata.namespace=default',
    'spec.text=x',
    'reason=x',
    'a\\',
    'a=b\\,c',
    '=',
    'metadata.name',
    'metadata.name=a,metadata.name=b',
    '__proto__=x',
    'status.phase=Active',
  ],
  gracePeriodSeconds: ['0', '5', '-1', 'x', '99999999999999999'],
  propagationPolicy: ['Orphan', 'Foreground', 'Background', 'x'],
  orphanDependents: ['true', 'false', 'x'],
  includeObject: ['None', 'Metadata', 'Object', 'x'],
  verbose: ['', '1'],
};

function path(random: Random, collection: string, method: string, name: string): string {
  if (random.chance(0.04)) return random.pick(others);
  let found = collection;
  const named = method === 'POST' ? 0.05 : method === 'PUT' || method === 'PATCH' ? 0.95 : 0.6;
  if (random.chance(named)) found += `/${name}`;
  if (random.chance(0.07)) found += `/${random.pick(['status', 'scale', 'finalize', 'proxy', 'eviction', 'x'])}`;
  if (random.chance(0.04)) {
    const segments = found.split('/');
    segments[1 + random.below(segments.length - 1)] = encodeAll(random.text());
    found = segments.join('/');
  }
  return random.chance(0.02) ? found + random.pick(['/', '//', '/..', '/%2e%2e/x', '%', '%ff', '/x/y/z', ';a=b']) : found;
}

/** Percent-encodes what cannot stand in a path; lone surrogates become bytes that are no UTF-8. */
function encodeAll(text: string): string {
  return text
    .replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '%ED%A0%80')
    .replaceAll(/[^\w.~!$&'()*+,;=:@%-]/gu, (character) => encodeURIComponent(character));
}

function query(random: Random, tokens: readonly string[]): string {
  const found = random.some(Object.keys(parameters), random.pick([0, 0, 1, 1, 2, 4]));
  const pairs = found.map(
    (name) =>
      `${name}=${encodeAll(random.chance(0.05) ? random.text() : random.pick(parameters[name]!)).replaceAll(/[&#+]/g, encodeURIComponent)}`,
  );
  if (random.chance(0.1)) pairs.push(`continue=${token(random, tokens)}`);
  // No watch lasts longer than the test wants to wait.
  if (found.includes('watch')) pairs.unshift('timeoutSeconds=1');
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A continue token: one that the server gave, that one changed inside, or none at all. */
function token(random: Random, tokens: readonly string[]): string {
  if (tokens.length === 0 || random.chance(0.2)) return encodeAll(random.text()).replaceAll(/[&#+]/g, encodeURIComponent);
  const given = random.pick(tokens);
  if (random.chance(0.4)) return given;
  return damaged(random, Buffer.from(given, 'base64url')).toString('base64url');
}

/** The next request. `tokens` are continue tokens that the server has given. */
export function randomRequest(random: Random, tokens: readonly string[]): FuzzRequest {
  const method = random.pick(methods);
  const collection = random.pick(collections);
  const name = random.pick(names);
  const target = path(random, collection, method, name);
  const body = randomBody(random, method, collection.split('/').at(-1)!, random.chance(0.9) ? name : random.text());
  const headers: Record<string, string> = {};
  if (random.chance(0.25)) headers['accept'] = random.pick(accepts);
  if (random.chance(0.05)) headers['accept-encoding'] = random.pick(['gzip', 'gzip;q=0', 'br', ';']);
  if (random.chance(0.05)) headers['user-agent'] = random.pick(['curl/8', 'kubectl/v1.30', '', '/', 'x'.repeat(300)]);
  if (random.chance(0.02)) headers['if-none-match'] = '"x"';
  if (body?.type !== undefined) headers['content-type'] = body.type;
  return {method, path: target.includes('?') ? target : target + query(random, tokens), headers, body};
}
