import type {JsonObject, NamingProfile} from '../../sdk/index.js';
import {minimalObject} from '../../test/catalogue/minimal-objects.js';
import type {CatalogueType} from '../../test/catalogue/catalogue-types.js';
import {Random} from '../../test/helpers/random.js';
import {changed, changesOf} from './changes.js';
import type {CompareRequest, ComparedType} from './compare-request.js';
import {placesOf, type Place, type Schema} from './schema-places.js';

/** The objects that are changed are of this name, where their type does not prescribe one. */
const baseName = 'base';
const strict = '?dryRun=All&fieldValidation=Strict';
/** Templates of pods are the same everywhere: they are looked at in pods. */
const templates = /^(?:spec\.jobTemplate\.spec|spec)\.template\./;

/** Whether a place is within a template that other types have too. */
export function sharedTemplates({resource}: CatalogueType, steps: Place['steps']): boolean {
  return resource !== 'podtemplates' && templates.test(steps.join('.'));
}

/** How many requests a kind gets beside those that all share. */
const weights: Readonly<Record<string, number>> = {pods: 12, services: 3, jobs: 3, persistentvolumes: 2};

/** The path of the objects of a type. */
export function collectionOf({root, namespaced, resource}: CatalogueType): string {
  return namespaced ? `${root}/namespaces/default/${resource}` : `${root}/${resource}`;
}

/** The least object of a type, by the names of Kubernetes. */
export function baseObject({resource, groupVersion, kind}: CatalogueType, naming: NamingProfile): JsonObject | undefined {
  const neutral = groupVersion.replace(/\.k8s\.io\//, '.orch/');
  const minimal = minimalObject(resource, neutral, naming, 'default');
  return minimal && ({apiVersion: groupVersion, kind, metadata: {name: minimal.name ?? baseName}, ...minimal.members} as JsonObject);
}

/** The name of the schema of a kind. */
export function schemaOf({group, version, kind, schemas}: ComparedType): string | undefined {
  const isOf = (schema: Schema) =>
    (
      (schema as {'x-kubernetes-group-version-kind'?: {group: string; version: string; kind: string}[]})[
        'x-kubernetes-group-version-kind'
      ] ?? []
    ).some((one) => one.group === group && one.version === version && one.kind === kind);
  return Object.keys(schemas).find((name) => isOf(schemas[name]!));
}

/**
 * About so many requests, which change objects of all types at all their places. The same types and seed give the same ones. None writes
 * anything; those that patch need the object of `baseObject`.
 */
export function makeRequests(types: readonly ComparedType[], naming: NamingProfile, count: number, seed: number): CompareRequest[] {
  const random = new Random(seed);
  const all = types.flatMap((type) => {
    const base = baseObject(type, naming);
    const name = schemaOf(type);
    return base === undefined || name === undefined ? [] : [{type, requests: random.shuffled(requestsOf(type, base, name))}];
  });
  const weightOf = ({resource}: CatalogueType) => weights[resource] ?? 1;
  // Kinds with few places leave what they do not use to the others.
  let share = 1;
  const sizeAt = (one: number) => all.reduce((sum, {type, requests}) => sum + Math.min(requests.length, one * weightOf(type)), 0);
  while (sizeAt(share) < count && share < count) share++;
  return all.flatMap(({type, requests}) => requests.slice(0, share * weightOf(type)));
}

function requestsOf(type: ComparedType, base: JsonObject, schema: string): CompareRequest[] {
  const collection = collectionOf(type);
  const object = `${collection}/${(base['metadata'] as {name: string}).name}`;
  const found: CompareRequest[] = [];
  const add = (method: CompareRequest['method'], path: string, places: readonly Place[], root: JsonObject) => {
    for (const place of places) {
      for (const change of changesOf(place)) {
        const body = changed(root, place, change);
        if (body !== undefined)
          found.push({method, path: path + strict, body, about: `${type.groupVersion} ${type.kind} ${place.steps.join('.')}`});
      }
    }
  };
  const places = placesOf(type.schemas, schema, 'rest').filter(({steps}) => !sharedTemplates(type, steps));
  add('POST', collection, places, {
    ...base,
    metadata: {name: 'new', ...((base['metadata'] as JsonObject)['name'] === baseName ? {} : (base['metadata'] as JsonObject))},
  });
  // A patch has the top of what it changes: members beside are as the base has them.
  const {metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...members} = base;
  add(
    'PATCH',
    object,
    places.filter(({steps}) => steps.length < 5),
    members as JsonObject,
  );
  add('PATCH', `${object}/status`, placesOf(type.schemas, schema, 'status'), {});
  return found;
}
