import type {Environment} from '@marcbachmann/cel-js';

const sync = {async: false};

/** A URL or an absolute path, as Kubernetes' `url` functions see it. */
class UrlValue {
  constructor(
    readonly parts: URL | undefined,
    readonly path: string,
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
  // JavaScript's parser accepts and repairs much that is not a URL.
  if (/[\s\u0000-\u001f\u007f]/.test(text)) return undefined;
  if (text.startsWith('/')) return URL.canParse(text, 'https://host') ? new UrlValue(undefined, text.split(/[?#]/, 1)[0]!) : undefined;
  const match = /^[A-Za-z][A-Za-z0-9+.-]*:(\/\/[^/?#]*)?([^?#]*)/.exec(text);
  if (!match || !URL.canParse(text)) return undefined;
  return new UrlValue(new URL(text), match[2]!);
}

function queryOf({parts}: UrlValue): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const [name, value] of parts?.searchParams ?? []) query.set(name, [...(query.get(name) ?? []), value]);
  return query;
}
