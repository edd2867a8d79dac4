import {
  apiVersionOf,
  groupResourceText,
  type ApiObject,
  type GroupVersionKind,
  type GroupVersionResource,
  type NamingProfile,
  type PrinterColumn,
  type ResourceBehaviour,
  type ResourceDefinition,
  type ResourceStrategy,
  type ResourceVerb,
  type ResourceVersionDefinition,
  type SubresourceDefinition,
} from '../../../sdk/index.js';
import type {ObjectSchema} from '../schema/object-schema.js';
import {compareVersions} from './version-order.js';

const allVerbs: readonly ResourceVerb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Finds the schema that a version of a definition names; called at most once per version, on first use. */
export type SchemaResolver = (version: ResourceVersionDefinition) => ObjectSchema;

/**
 * A resource type as the server works with it: a definition seen through a naming profile, with its strategy.
 * Built-in types and custom resources are both of this class; nothing in it is compiled before it is used.
 */
export class ResourceType {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly ResourceVerb[];
  readonly behaviour: Required<Omit<ResourceBehaviour, 'ttlSeconds'>> & Pick<ResourceBehaviour, 'ttlSeconds'>;
  readonly groupPriority: number;
  /** In order of preference: the first served one is what clients should use. */
  readonly versions: readonly ResourceTypeVersion[];
  readonly storageVersion: ResourceTypeVersion;
  /** Name under which a store keeps objects of the type. */
  readonly storageName: string;

  constructor(
    definition: ResourceDefinition,
    naming: NamingProfile,
    resolveSchema: SchemaResolver,
    /** Plugin that contributes the type. */
    readonly plugin: string,
    readonly strategy: ResourceStrategy | undefined,
    isServed: (resource: GroupVersionResource, byDefault: boolean) => boolean = (_resource, byDefault) => byDefault,
    /** `custom` for types that a CustomResourceDefinition describes. */
    readonly origin: 'built-in' | 'custom' = 'built-in',
  ) {
    const {names} = definition;
    this.group = naming.group(definition.group);
    this.plural = names.plural;
    this.singular = names.singular ?? names.kind.toLowerCase();
    this.kind = names.kind;
    this.listKind = names.listKind ?? `${names.kind}List`;
    this.shortNames = names.shortNames ?? [];
    this.categories = names.categories ?? [];
    this.namespaced = definition.scope === 'Namespaced';
    this.verbs = definition.verbs ?? allVerbs;
    this.groupPriority = definition.groupPriority ?? 1000;
    this.storageName = groupResourceText({group: this.group, resource: this.plural});
    this.versions = definition.versions
      .map((version) => {
        const resource = {group: this.group, version: version.name, resource: this.plural};
        return new ResourceTypeVersion(this, version, isServed(resource, version.served ?? true), () => resolveSchema(version));
      })
      .sort((a, b) => compareVersions(a.name, b.name));
    const storage = this.versions.find((version) => version.definition.storage) ?? this.versions[0];
    if (!storage) throw new Error(`resource type ${this.storageName} has no versions`);
    this.storageVersion = storage;
    this.behaviour = behaviourOf(definition);
  }

  version(name: string): ResourceTypeVersion | undefined {
    return this.versions.find((version) => version.name === name);
  }
}

/** One version of a resource type: what a request is made in. */
export class ResourceTypeVersion {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresources: Readonly<Record<string, SubresourceDefinition>>;
  readonly printerColumns: readonly PrinterColumn[] | undefined;
  readonly selectableFields: ReadonlySet<string>;
  #schema: ObjectSchema | undefined;

  constructor(
    readonly type: ResourceType,
    readonly definition: ResourceVersionDefinition,
    readonly served: boolean,
    private readonly loadSchema: () => ObjectSchema,
  ) {
    this.name = definition.name;
    const groupVersion = {group: type.group, version: definition.name};
    this.apiVersion = apiVersionOf(groupVersion);
    this.kind = {...groupVersion, kind: type.kind};
    this.resource = {...groupVersion, resource: type.plural};
    this.subresources = definition.subresources ?? {};
    this.printerColumns = definition.printerColumns;
    this.selectableFields = new Set(['metadata.name', ...(type.namespaced ? ['metadata.namespace'] : []), ...(definition.selectableFields ?? [])]);
  }

  /** Resolved and compiled on first use. */
  get schema(): ObjectSchema {
    return (this.#schema ??= this.loadSchema());
  }

  get isStorageVersion(): boolean {
    return this.type.storageVersion === this;
  }

  hasSubresource(name: string): boolean {
    return Object.hasOwn(this.subresources, name);
  }

  /** Values of the fields that selectors of this type may use. */
  selectableFieldValues(object: ApiObject): Record<string, string> {
    const fields: Record<string, string> = {};
    for (const path of this.definition.selectableFields ?? []) fields[path] = textAt(object, path);
    return Object.assign(fields, this.type.strategy?.selectableFields?.(object));
  }
}

function behaviourOf(definition: ResourceDefinition): ResourceType['behaviour'] {
  const given = definition.behaviour ?? {};
  const hasStatus = definition.versions.some((version) => version.subresources && Object.hasOwn(version.subresources, 'status'));
  return {
    nameFormat: given.nameFormat ?? 'dns-subdomain',
    createOnUpdate: given.createOnUpdate ?? false,
    unconditionalUpdate: given.unconditionalUpdate ?? true,
    defaultDelete: given.defaultDelete ?? 'Background',
    generation: given.generation ?? 'spec',
    deleteReturnsObject: given.deleteReturnsObject ?? false,
    resetFields: given.resetFields ?? (hasStatus ? {main: ['status']} : {}),
    ttlSeconds: given.ttlSeconds,
  };
}

function textAt(object: ApiObject, path: string): string {
  let value: unknown = object;
  for (const member of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return '';
    value = (value as Record<string, unknown>)[member];
  }
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value as string | number | boolean);
}
