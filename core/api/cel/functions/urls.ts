import {unescape} from 'node:querystring';
import type {Environment} from '@marcbachmann/cel-js';
import {meter} from '../cost-meter.js';

const sync = {async: false};
const stepsPerParameter = 8;

/** A URL or an absolute path, as Kubernetes' `url` functions see it. */
class UrlValue {
  /** @param query as it is written, without the question mark */
  constructor(
    readonly parts: URL | undefined,
    readonly path: string,
    readonly query: string,
  ) {}
}

/** Kubernetes' URL functions: `url`, `isURL`, `getScheme`, `getHost`, `getHostname`, `getPort`, `getEscapedPath`, `getQuery`. */
export function addUrlFunctions(environment: Environment): void {
  environment.registerType('kubernetes.URL', UrlValue);
  const type = 'kubernetes.URL';
  environment
    .registerFunction(`url(string): ${type}`, urlOf, sync)
    .registerFunction('isURL(string): bool', (text: string) => parse(text) !== undefined, sync)
    .registerFunction(`${type}.getScheme(): string`, ({parts}: UrlValue) => parts?.protocol.slice(0, -1) ?? '', sync)
    .registerFunction(`${type}.getHost(): string`, ({parts}: UrlValue) => parts?.host ?? '', sync)
    .registerFunction(`${type}.getHostname(): string`, ({parts}: UrlValue) => parts?.hostname.replace(/^\[|\]$/g, '') ?? '', sync)
    .registerFunction(`${type}.getPort(): string`, ({parts}: UrlValue) => parts?.port ?? '', sync)
    .registerFunction(`${type}.getEscapedPath(): string`, ({path}: UrlValue) => path, sync)
    .registerFunction(`${type}.getQuery(): map<string, list<string>>`, queryOf, sync)
    .registerOperator(`${type} == ${type}`, (a: UrlValue, b: UrlValue) => (a.parts?.href ?? a.path) === (b.parts?.href ?? b.path));
}

function urlOf(text: string): UrlValue {
  const url = parse(text);
  if (!url)
    throw new Error(`URL parse error during conversion from string: ${JSON.stringify(text.slice(0, 100))} is no absolute URI or path`);
  return url;
}

function parse(text: string): UrlValue | undefined {
  meter.spend(60 + 1.5 * text.length);
  // JavaScript's parser accepts and repairs much that is not a URL.
  if (/[\s\u0000-\u001f\u007f]/.test(text)) return undefined;
  const [, start = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(text) ?? [];
  if (start.startsWith('/')) return URL.canParse(text, 'https://host') ? new UrlValue(undefined, start, query) : undefined;
  const match = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/[^/]*)?(.*)/.exec(start);
  const parts = match && URL.parse(text);
  return parts ? new UrlValue(parts, match[1]!, query) : undefined;
}

/** Parameters that are malformed are left out, as in Go. */
function queryOf({query}: UrlValue): Map<string, string[]> {
  meter.spend(query.length);
  const values = new Map<string, string[]>();
  for (let start = 0, end: number; start < query.length; start = end + 1) {
    end = query.indexOf('&', start);
    if (end < 0) end = query.length;
    if (end === start) continue;
    meter.spend(stepsPerParameter);
    const part = query.slice(start, end);
    const middle = part.indexOf('=');
    const name = part.includes(';') ? undefined : decoded(middle < 0 ? part : part.slice(0, middle));
    const value = middle < 0 ? '' : decoded(part.slice(middle + 1));
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/** A name or value without its escapes; undefined if one of them is malformed. */
function decoded(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  return unescape(text.replaceAll('+', ' '));
}
