import type {JsonObject, NamingProfile} from '../../../sdk/index.js';
import type {CompareRequest, ComparedType} from '../compare-request.js';
import {baseObject, collectionOf} from '../requests.js';

/** A type with an object of it that both servers have. */
export interface KnownType {
  readonly type: ComparedType;
  readonly base: JsonObject;
  readonly name: string;
  /** The path of all objects, and of the one. */
  readonly collection: string;
  readonly object: string;
  /** Group version and kind, as requests begin what they are about. */
  readonly title: string;
}

/** What makers of requests are given. */
export interface KindContext {
  readonly types: readonly KnownType[];
}

/** All requests of a kind, in the order of their types; which of them are sent is chosen by chance. */
export type MakeRequests = (context: KindContext) => CompareRequest[];

export function knownTypes(types: readonly ComparedType[], naming: NamingProfile): KnownType[] {
  return types.flatMap((type) => {
    const base = baseObject(type, naming);
    if (base === undefined) return [];
    const {name} = base['metadata'] as {name: string};
    const collection = collectionOf(type);
    return [{type, base, name, collection, object: `${collection}/${name}`, title: `${type.groupVersion} ${type.kind}`}];
  });
}

/** The types of some resources, in every version. */
export function typesOf({types}: KindContext, ...resources: readonly string[]): KnownType[] {
  return types.filter(({type}) => resources.includes(type.resource));
}

/** A new object like the base, under another name where the type leaves it open. */
export function newObject({base, name}: KnownType): JsonObject {
  return {...base, metadata: {...(base['metadata'] as JsonObject), name: name === 'base' ? 'new' : name}};
}

/** A path with parameters as they are given: a list of pairs may have a name twice. */
export function withQuery(path: string, parameters: readonly (readonly [string, string])[]): string {
  const query = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Parameters of every write: nothing is stored. */
export const dryRun = ['dryRun', 'All'] as const;
