import {createHash} from 'node:crypto';
import {apiVersionOf} from '../../../sdk/index.js';
import type {GroupEntry, GroupVersionEntry} from '../../api/types/group-entry.js';
import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import type {ResourceTypeVersion, Subresource} from '../../api/types/resource-type.js';

/** A discovery document, with the name of its type. */
export interface DiscoveryDocument {
  readonly kind: string;
  readonly [member: string]: unknown;
}

const defaultSubresourceVerbs = ['get', 'patch', 'update'] as const;

/** `/api`: versions of the core group. */
export function coreVersions(catalog: ResourceCatalog, serverAddress: string): DiscoveryDocument {
  return {
    kind: 'APIVersions',
    versions:
      catalog
        .groups()
        .find(({group}) => group === '')
        ?.versions.map(({version}) => version) ?? [],
    serverAddressByClientCIDRs: [{clientCIDR: '0.0.0.0/0', serverAddress}],
  };
}

/** `/apis`: all named groups. */
export function groupList(catalog: ResourceCatalog): DiscoveryDocument {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: catalog
      .groups()
      .filter(({group}) => group !== '')
      .map(describeGroup),
  };
}

/** `/apis/GROUP`. */
export function groupDocument(entry: GroupEntry): DiscoveryDocument {
  return {kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(entry)};
}

/** `/api/v1` and `/apis/GROUP/VERSION`. */
export function resourceList(entry: GroupVersionEntry): DiscoveryDocument {
  return {
    kind: 'APIResourceList',
    ...(entry.group === '' ? {} : {apiVersion: 'v1'}),
    groupVersion: apiVersionOf(entry),
    resources: entry.types.flatMap(describeResource),
  };
}

/** `/api` and `/apis` in the aggregated form: everything that clients need in one document. */
export function aggregatedList(groups: readonly GroupEntry[], apiVersion: string): DiscoveryDocument {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion,
    metadata: {},
    items: groups.map(({group, versions}) => ({
      metadata: {name: group},
      versions: versions.map(aggregatedVersion),
    })),
  };
}

function aggregatedVersion({version, types, aggregated}: GroupVersionEntry): object {
  return {
    version,
    resources: aggregated ? aggregated.resources : types.map(aggregatedResource),
    freshness: aggregated?.isStale ? 'Stale' : 'Current',
  };
}

function describeGroup({group, versions}: GroupEntry): object {
  const list = versions.map(({version}) => ({groupVersion: apiVersionOf({group, version}), version}));
  return {name: group, versions: list, preferredVersion: list[0]};
}

function describeResource(version: ResourceTypeVersion): object[] {
  const {type} = version;
  const main = {
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: [...type.verbs].sort(),
    ...(type.shortNames.length > 0 ? {shortNames: type.shortNames} : {}),
    ...(type.categories.length > 0 ? {categories: type.categories} : {}),
    ...(type.isVirtual ? {} : {storageVersionHash: storageVersionHash(version)}),
  };
  return [main, ...Object.keys(version.subresources).map((name) => describeSubresource(version, version.subresource(name)!))];
}

function describeSubresource({type, kind: own}: ResourceTypeVersion, {name, kind, definition}: Subresource): object {
  const isOfOther = kind.group !== own.group || kind.version !== own.version;
  return {
    name: `${type.plural}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...(isOfOther ? {group: kind.group, version: kind.version} : {}),
    kind: kind.kind,
    verbs: [...(definition.verbs ?? defaultSubresourceVerbs)].sort(),
  };
}

function aggregatedResource(version: ResourceTypeVersion): object {
  const {type} = version;
  const subresources = Object.keys(version.subresources).map((name) => {
    const {kind, definition} = version.subresource(name)!;
    return {subresource: name, responseKind: kind, verbs: [...(definition.verbs ?? defaultSubresourceVerbs)].sort()};
  });
  return {
    resource: type.plural,
    responseKind: version.kind,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: [...type.verbs].sort(),
    ...(type.shortNames.length > 0 ? {shortNames: type.shortNames} : {}),
    ...(type.categories.length > 0 ? {categories: type.categories} : {}),
    ...(subresources.length > 0 ? {subresources} : {}),
  };
}

/** Shows clients whether objects of two versions are the same in storage; only compared, never interpreted. */
function storageVersionHash({type}: ResourceTypeVersion): string {
  const text = `${type.group}/${type.storageVersion.name}/${type.kind}`;
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}
