import {isJsonObject} from '../../../sdk/values/is-json-object.js';
import {scaleReference} from './plugin-versions.js';
import type {TypedSchema} from './schema-type.js';
import type {TypedVersion} from './type-module.js';

/** A CustomResourceDefinition (`v1`), as far as types follow from it. */
interface Definition {
  readonly metadata?: {readonly name?: string};
  readonly spec?: {
    readonly group?: string;
    readonly scope?: string;
    readonly names?: {readonly kind?: string; readonly plural?: string};
    readonly versions?: readonly {
      readonly name?: string;
      readonly served?: boolean;
      readonly schema?: {readonly openAPIV3Schema?: TypedSchema};
      readonly subresources?: {readonly status?: object; readonly scale?: object};
    }[];
  };
}

/** Whether an object is a CustomResourceDefinition of the version that is in use. */
export function isDefinition(object: unknown): boolean {
  return (
    isJsonObject(object) &&
    object['kind'] === 'CustomResourceDefinition' &&
    /^apiextensions\.[a-z0-9.-]+\/v1$/.test(String(object['apiVersion']))
  );
}

/** What servers accept as the names of groups, plurals and versions: they become part of a program. */
const groupName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const label = /^[a-z]([a-z0-9-]*[a-z0-9])?$/;

/** The served versions of a CustomResourceDefinition. @throws Error in one sentence for one that lacks what names it, or has names that no server accepts */
export function definitionVersions(object: object): TypedVersion[] {
  const {metadata, spec} = object as Definition;
  const {group, names, versions = [], scope} = spec ?? {};
  const {kind, plural} = names ?? {};
  const served = versions.filter((version) => version.served !== false && version.name !== undefined);
  const isValid =
    groupName.test(String(group)) &&
    /^[A-Za-z][A-Za-z0-9]*$/.test(String(kind)) &&
    [plural, ...served.map(({name}) => name)].every((name) => label.test(String(name)));
  if (!isValid || !group || !kind || !plural)
    throw new Error(`the CustomResourceDefinition ${JSON.stringify(metadata?.name ?? '')} names no valid group, kind, plural or version`);
  return served.map(({name, schema, subresources}) => ({
    group,
    version: name!,
    kind,
    plural,
    isNamespaced: scope !== 'Cluster',
    schema: schema?.openAPIV3Schema ?? {},
    definitions: {},
    subresources: new Map<string, string | undefined>([
      ...(subresources?.status ? [['status', undefined] as const] : []),
      ...(subresources?.scale ? [['scale', scaleReference] as const] : []),
    ]),
  }));
}
