import {signal} from '@preact/signals';
import {platformGroup} from './facts.js';
import {requestJson} from './request.js';
import {versionPath, type ResourceType} from './types.js';

interface GroupDiscovery {
  readonly metadata?: {readonly name?: string};
  readonly versions: readonly {
    readonly version: string;
    readonly resources?: readonly {
      readonly resource: string;
      readonly scope: string;
      readonly verbs: readonly string[];
      readonly shortNames?: readonly string[];
      readonly responseKind?: {readonly kind?: string};
      readonly subresources?: readonly {readonly subresource: string}[];
    }[];
  }[];
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly shortNames?: readonly string[];
  }[];
}

interface GroupList {
  readonly groups: readonly {readonly name: string; readonly versions: readonly {readonly version: string}[]}[];
}

/** All types that can be read, the preferred version of each, by group and name; undefined until they are known. */
export const resourceTypes = signal<readonly ResourceType[] | undefined>(undefined);

/** As `resourceTypes`, as soon as they are known. */
export function knownTypes(): Promise<readonly ResourceType[]> {
  return new Promise((resolve) => {
    const end = resourceTypes.subscribe((types) => {
      if (!types) return;
      resolve(types);
      queueMicrotask(() => end());
    });
  });
}

/** Looks again: types come and go with definitions. */
export async function discover(): Promise<void> {
  const found = (await Promise.all(['/api', '/apis'].map(discoverRoot))).flat();
  const types = new Map<string, ResourceType>();
  // Versions come in their order of preference.
  for (const type of found) {
    const key = `${type.group}/${type.resource}`;
    if (!types.has(key)) types.set(key, type);
  }
  resourceTypes.value = [...types.values()].sort((left, right) =>
    left.group === right.group ? (left.resource < right.resource ? -1 : 1) : left.group < right.group ? -1 : 1,
  );
}

async function discoverRoot(root: string): Promise<ResourceType[]> {
  const form = (version: string) => `application/json;g=${platformGroup('apidiscovery')};v=${version};as=APIGroupDiscoveryList`;
  const answer = await requestJson<{kind: string; items?: readonly GroupDiscovery[]}>(root, {
    accept: `${form('v2')},${form('v2beta1')},application/json`,
  });
  if (answer.items) return answer.items.flatMap(typesOfGroup);
  // Older releases have a document for each version.
  const versions =
    root === '/api'
      ? (answer as unknown as {versions: readonly string[]}).versions.map((version) => ({group: '', version}))
      : (answer as unknown as GroupList).groups.flatMap(({name, versions: own}) => own.map(({version}) => ({group: name, version})));
  return (await Promise.all(versions.map(typesOfVersion))).flat();
}

function typesOfGroup({metadata, versions}: GroupDiscovery): ResourceType[] {
  return versions.flatMap(({version, resources = []}) =>
    resources.map(({resource, scope, verbs, shortNames = [], responseKind, subresources = []}) => ({
      group: metadata?.name ?? '',
      version,
      resource,
      kind: responseKind?.kind ?? resource,
      namespaced: scope === 'Namespaced',
      verbs,
      shortNames,
      subresources: subresources.map(({subresource}) => subresource),
    })),
  );
}

async function typesOfVersion(place: {readonly group: string; readonly version: string}): Promise<ResourceType[]> {
  // An aggregated server may be away: the others are shown.
  const list = await requestJson<ResourceList>(versionPath(place)).catch((): ResourceList => ({resources: []}));
  return list.resources
    .filter(({name}) => !name.includes('/'))
    .map(({name, kind, namespaced, verbs, shortNames = []}) => ({
      ...place,
      resource: name,
      kind,
      namespaced,
      verbs,
      shortNames,
      subresources: list.resources.filter((other) => other.name.startsWith(`${name}/`)).map((other) => other.name.slice(name.length + 1)),
    }));
}

/** The type that a path of the console names. */
export function findType(group: string, resource: string): ResourceType | undefined {
  return resourceTypes.value?.find((type) => type.group === group && type.resource === resource);
}

/** The type of objects with this `apiVersion` and kind, whichever of its versions is shown. */
export function typeOfKind(apiVersion: string, kind: string): ResourceType | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return resourceTypes.value?.find((type) => type.group === group && type.kind === kind);
}
