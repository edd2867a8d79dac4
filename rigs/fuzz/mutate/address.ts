import type {Random} from '../../../test/helpers/random.js';
import {parameters, subresources} from './dictionary.js';

/** What was learned from answers: names, versions and the like that mean something to the server. */
export interface Learned {
  readonly names: readonly string[];
  readonly versions: readonly string[];
  readonly uids: readonly string[];
  readonly tokens: readonly string[];
}

/** Percent-encodes what cannot stand in a path; lone surrogates become bytes that are no UTF-8. */
export function encoded(text: string): string {
  return text
    .replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '%ED%A0%80')
    .replaceAll(/[^\w.~!$&'()*+,;=:@%-]/gu, (character) => encodeURIComponent(character));
}

/** Changes one thing in a path. `paths` are others to take parts from. */
export function mutatePath(random: Random, path: string, paths: readonly string[], learned: Learned): string {
  const segments = path.split('/').slice(1);
  const at = random.below(segments.length);
  const name = () => (learned.names.length > 0 && random.chance(0.7) ? random.pick(learned.names) : random.text());
  return random.pick([
    () => joined(segments.with(at, encoded(name()))),
    () => joined(segments.with(segments.length - 1, encoded(name()))),
    () => joined([...segments, encoded(name())]),
    () => joined([...segments, random.pick(subresources)]),
    () => joined([...segments, random.pick(subresources)]),
    () => joined(segments.slice(0, -1)),
    () => joined(segments.slice(0, at)),
    () => joined(segments.toSpliced(at, 1)),
    () => joined(segments.toSpliced(at, 0, segments[at]!)),
    () => joined(segments.map((segment) => (/^v\d/.test(segment) ? random.pick(['v1', 'v1beta1', 'v2', 'v1alpha1', 'v9']) : segment))),
    () =>
      joined([
        ...segments.slice(0, at),
        ...random
          .pick(paths)
          .split('/')
          .slice(1 + at),
      ]),
    () => path + random.pick(['/', '//', '/..', '/%2e%2e/x', '%', '%ff', '/x/y/z', ';a=b', '%00', '%2f']),
    () => path.replace('/namespaces/', '/watch/namespaces/'),
    () => path.replace('/', '//'),
    () => path.toUpperCase(),
  ])();
}

function joined(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}

/** Changes one thing in a query, without the question mark. */
export function mutateQuery(random: Random, query: string, learned: Learned): string {
  const pairs = query === '' ? [] : query.split('&');
  const at = random.below(pairs.length + 1);
  return random
    .pick([
      () => pairs.toSpliced(at, 0, parameter(random, learned)),
      () => pairs.toSpliced(at, 0, parameter(random, learned)),
      () => pairs.toSpliced(at, 0, parameter(random, learned)),
      () => pairs.toSpliced(at, 1),
      () => pairs.toSpliced(at, 0, pairs[at] ?? 'a'),
      () => pairs.toSpliced(at, 1, `${(pairs[at] ?? 'limit').split('=')[0]}=${value(random, random.text())}`),
      () => [...pairs, value(random, random.text())],
    ])()
    .join('&');
}

function parameter(random: Random, learned: Learned): string {
  const name = random.pick(Object.keys(parameters));
  if (name === 'continue' && learned.tokens.length > 0 && random.chance(0.8))
    return `continue=${token(random, random.pick(learned.tokens))}`;
  if (name === 'resourceVersion' && learned.versions.length > 0 && random.chance(0.6))
    return `resourceVersion=${random.pick(learned.versions)}`;
  return `${name}=${value(random, random.chance(0.05) ? random.text() : random.pick(parameters[name]!))}`;
}

function value(random: Random, text: string): string {
  return encoded(text)
    .replaceAll(/[&#+]/g, encodeURIComponent)
    .replaceAll(/%(?![\dA-F]{2})/g, random.chance(0.5) ? '%25' : '%');
}

/** A continue token that the server gave, or that one changed inside. */
function token(random: Random, given: string): string {
  if (random.chance(0.5)) return given;
  const bytes = Buffer.from(given, 'base64url');
  if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  return bytes.toString('base64url');
}
