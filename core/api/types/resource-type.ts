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
  type VirtualResource,
} from '../../../sdk/index.js';
import type {ObjectSchema} from '../object-schema/object-schema.js';
import {standardFinalizers} from '../metadata/finalizers.js';
import {compareVersions} from '../lifetimes/version-order.js';
import {isServedByDefault} from '../lifetimes/version-stability.js';

/** The kind of `scale` bodies unless a definition says otherwise. */
const scaleKind = {group: 'autoscaling', version: 'v1', kind: 'Scale'} as const;
const scaleSchema = 'autoscaling/v1#/definitions/Scale';

const statusOnly = {main: ['status']} as const;
const nothing = {} as const;

const allVerbs: readonly ResourceVerb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The parts of a resource type besides its definition. */
export interface ResourceTypeParts {
  readonly naming: NamingProfile;
  /** Finds the schema named by a version or subresource; called at most once for each, on first use. */
  readonly resolveSchema: (schema: ResourceVersionDefinition['schema'], version: ResourceVersionDefinition) => ObjectSchema;
  /**
   * A number from 1 to below 2^48 that distinguishes the schema of a version from its past and future ones; called at most once for each,
   * on first use.
   */
  readonly markSchema: (version: ResourceVersionDefinition) => number;
  /** The plugin that contributes the type. */
  readonly plugin: string;
  /** The type's behaviour beyond its schema; called on first use and again until it returns a value. */
  readonly strategy?: (() => ResourceStrategy | undefined) | undefined;
  /** Finds a handler by its class name; called on first use and again until it returns a value. */
  readonly handlerOf?: (className: string) => VirtualResource | undefined;
  readonly isServed?: (resource: GroupVersionResource, byDefault: boolean) => boolean;
  /** `custom` for types defined by a CustomResourceDefinition; `built-in` by default. */
  readonly origin?: 'built-in' | 'custom';
}

type OptionalBehaviour = 'ttlSeconds' | 'resetFields' | 'withoutEffect' | 'defaultDeleteWarning';

/**
 * A resource type inside the server: a definition seen through a naming profile, with its strategy. Built-in types and custom resources
 * share this class; nothing is compiled before it is used.
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
  readonly behaviour: Required<Omit<ResourceBehaviour, OptionalBehaviour | 'ttlSetting' | 'generationIntroduced' | 'nameFormatWith'>> &
    Pick<ResourceBehaviour, OptionalBehaviour>;
  readonly groupPriority: number;
  /** In order of preference: clients should use the first served one. */
  readonly versions: readonly ResourceTypeVersion[];
  /** `plural.group`, or `plural` in the core group. */
  readonly qualifiedName: string;
  readonly plugin: string;
  /** Whether the type is served by a handler and none of its objects are stored. */
  readonly isVirtual: boolean;
  readonly origin: 'built-in' | 'custom';
  /** Finalizers that need no domain. */
  readonly standardFinalizers: ReadonlySet<string>;
  /** Qualified name of the type as which the objects are stored: its own, unless it is a view of another type. */
  readonly storageName: string;
  readonly #makeStrategy: ResourceTypeParts['strategy'];
  readonly #makeHandler: () => VirtualResource | undefined;
  readonly #ownStorageVersion: ResourceTypeVersion;
  #strategy: ResourceStrategy | undefined;
  #handler: VirtualResource | undefined;
  #storageOwner: ResourceType | undefined;

  constructor(definition: ResourceDefinition, parts: ResourceTypeParts) {
    const {names} = definition;
    const {naming, isServed = (_resource: GroupVersionResource, byDefault: boolean) => byDefault} = parts;
    this.plugin = parts.plugin;
    this.isVirtual = definition.handler !== undefined;
    this.#makeStrategy = parts.strategy;
    this.#makeHandler = () => (definition.handler === undefined ? undefined : parts.handlerOf?.(definition.handler));
    this.origin = parts.origin ?? 'built-in';
    this.standardFinalizers = standardFinalizers(naming);
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
    this.qualifiedName = groupResourceText({group: this.group, resource: this.plural});
    const {storedAs} = definition;
    this.storageName = storedAs
      ? groupResourceText({group: naming.group(storedAs.group), resource: storedAs.resource})
      : this.qualifiedName;
    this.versions = definition.versions
      .map((version) => {
        const resource = {group: this.group, version: version.name, resource: this.plural};
        return new ResourceTypeVersion(this, version, isServed(resource, version.served ?? isServedByDefault(version.name)), parts);
      })
      .sort((a, b) => compareVersions(a.name, b.name));
    const storage = this.versions.find((version) => version.definition.storage) ?? this.versions[0];
    if (!storage) throw new Error(`resource type ${this.qualifiedName} has no versions`);
    this.#ownStorageVersion = storage;
    this.behaviour = behaviourOf(definition);
  }

  /** Behaviour beyond the schema. Reading this may load code, so only requests for the type should. */
  get strategy(): ResourceStrategy | undefined {
    return (this.#strategy ??= this.#makeStrategy?.());
  }

  /** The handler of a virtual type. Reading this may load code. */
  get handler(): VirtualResource | undefined {
    return (this.#handler ??= this.#makeHandler());
  }

  /** The version in which objects are stored; for a view, that of the type it shows. */
  get storageVersion(): ResourceTypeVersion {
    return this.#storageOwner?.storageVersion ?? this.#ownStorageVersion;
  }

  /** Paths of the fields that selectors may use in any version. */
  get selectablePaths(): readonly string[] {
    return [...new Set(this.versions.flatMap(({definition}) => definition.selectableFields ?? []))];
  }

  /** Sets the type as which a view's objects are stored. */
  attachTo(owner: ResourceType): void {
    this.#storageOwner = owner;
  }

  version(name: string): ResourceTypeVersion | undefined {
    return this.versions.find((version) => version.name === name);
  }
}

/** One version of a resource type, as addressed by a request. */
export class ResourceTypeVersion {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresources: Readonly<Record<string, SubresourceDefinition>>;
  /** The first bytes of every stored object in this version: what says its type. */
  readonly storedPrefix: Buffer;
  readonly printerColumns: readonly PrinterColumn[] | undefined;
  #schema: ObjectSchema | undefined;
  #schemaMark: number | undefined;
  #selectableFields: ReadonlySet<string> | undefined;
  readonly #subresources = new Map<string, Subresource>();
  readonly #parts: ResourceTypeParts;

  constructor(
    readonly type: ResourceType,
    readonly definition: ResourceVersionDefinition,
    readonly served: boolean,
    parts: ResourceTypeParts,
  ) {
    this.#parts = parts;
    this.name = definition.name;
    const groupVersion = {group: type.group, version: definition.name};
    this.apiVersion = apiVersionOf(groupVersion);
    this.kind = {...groupVersion, kind: type.kind};
    this.resource = {...groupVersion, resource: type.plural};
    this.subresources = definition.subresources ?? {};
    this.storedPrefix = Buffer.from(`{"apiVersion":${JSON.stringify(this.apiVersion)},"kind":${JSON.stringify(type.kind)},`);
    this.printerColumns = definition.printerColumns;
  }

  /** Resolved and compiled on first use. */
  get schema(): ObjectSchema {
    return (this.#schema ??= this.#parts.resolveSchema(this.definition.schema, this.definition));
  }

  /**
   * Fields that selectors may use. As in Kubernetes, cluster-scoped types with Kubernetes' semantics and no fields of their own accept
   * `metadata.namespace` too, with an empty value.
   */
  get selectableFields(): ReadonlySet<string> {
    const {type, definition} = this;
    return (this.#selectableFields ??= new Set([
      'metadata.name',
      ...(type.namespaced || (!definition.selectableFields && this.schema.node.kubernetesSemantics) ? ['metadata.namespace'] : []),
      ...(definition.selectableFields ?? []),
    ]));
  }

  /** What is said of a field that selectors may not use; undefined where the words are those of most types. */
  get fieldRefusal(): ((field: string) => string) | undefined {
    const {definition, apiVersion, kind} = this;
    const text = definition.unselectableField;
    if (text === undefined) return undefined;
    const values: Readonly<Record<string, string>> = {apiVersion, kind: kind.kind};
    return (field) =>
      text.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? (name === 'quoted' ? JSON.stringify(field) : field));
  }

  /**
   * Paths whose value a client cannot set, by endpoint. By default: the status, on the main endpoint of a version with a status
   * subresource.
   */
  get resetFields(): Readonly<Record<string, readonly string[]>> {
    return this.type.behaviour.resetFields ?? (this.hasSubresource('status') ? statusOnly : nothing);
  }

  /** Objects with this mark have been converted to the form of this version's schema (see `CachedObject`). */
  get schemaMark(): number {
    return (this.#schemaMark ??= this.#parts.markSchema(this.definition));
  }

  /**
   * The warning for clients of a deprecated version: the definition's own text, or which version to use instead if a better one that is not
   * deprecated is served. Undefined if the version is not deprecated.
   */
  get deprecationWarning(): string | undefined {
    const {definition, type} = this;
    if (!definition.deprecated) return undefined;
    if (definition.deprecationWarning !== undefined) return definition.deprecationWarning;
    const better = type.versions.find(
      ({served, definition: {deprecated}, name}) => served && !deprecated && compareVersions(name, this.name) < 0,
    );
    const instead = better ? `; use ${better.apiVersion} ${type.kind}` : '';
    return `${this.apiVersion} ${type.kind} is deprecated${instead}`;
  }

  hasSubresource(name: string): boolean {
    return Object.hasOwn(this.subresources, name);
  }

  /** A subresource with everything its definition names; undefined if there is none with that name. */
  subresource(name: string): Subresource | undefined {
    if (!this.hasSubresource(name)) return undefined;
    let found = this.#subresources.get(name);
    if (!found) this.#subresources.set(name, (found = this.#makeSubresource(name)));
    return found;
  }

  #makeSubresource(name: string): Subresource {
    const definition = this.subresources[name]!;
    const {naming, resolveSchema, handlerOf} = this.#parts;
    const given = definition.kind ?? (name === 'scale' ? scaleKind : undefined);
    const kind = given ? {...given, group: naming.group(given.group)} : this.kind;
    const reference = definition.schema ?? (given === scaleKind ? scaleSchema : undefined);
    const load = () => (reference === undefined ? this.schema : resolveSchema(reference, this.definition));
    let schema: ObjectSchema | undefined;
    let handler: VirtualResource | undefined;
    return {
      name,
      definition,
      kind,
      hasOwnKind: given !== undefined,
      get handler() {
        return (handler ??= definition.handler === undefined ? undefined : handlerOf?.(definition.handler));
      },
      get schema() {
        return (schema ??= load());
      },
    };
  }

  /** Values of the fields that selectors of this type may use: those at the paths of this version, or at the given paths. */
  selectableFieldValues(object: ApiObject, paths = this.definition.selectableFields ?? []): Record<string, string> {
    const fields: Record<string, string> = {};
    for (const path of paths) fields[path] = textAt(object, path);
    return Object.assign(fields, this.type.strategy?.selectableFields?.(object));
  }
}

/** A subresource, as needed to serve requests. */
export interface Subresource {
  readonly name: string;
  readonly definition: SubresourceDefinition;
  /** The kind of the bodies. */
  readonly kind: GroupVersionKind;
  /** Whether the bodies' kind differs from that of the objects. */
  readonly hasOwnKind: boolean;
  /** Reading this may load code. */
  readonly handler: VirtualResource | undefined;
  /** Schema of the bodies; resolved on first use. */
  readonly schema: ObjectSchema;
}

function behaviourOf(definition: ResourceDefinition): ResourceType['behaviour'] {
  const given = definition.behaviour ?? {};
  return {
    nameFormat: given.nameFormat ?? 'dns-subdomain',
    unqualifiedFinalizers: given.unqualifiedFinalizers ?? false,
    createOnUpdate: given.createOnUpdate ?? false,
    unconditionalUpdate: given.unconditionalUpdate ?? true,
    defaultDelete: given.defaultDelete ?? 'Background',
    defaultDeleteWarning: given.defaultDeleteWarning,
    generation: given.generation ?? 'spec',
    deleteReturnsObject: given.deleteReturnsObject ?? false,
    resetFields: given.resetFields,
    setOnce: given.setOnce ?? [],
    validation: given.validation ?? 'storage',
    ttlSeconds: given.ttlSeconds,
    withoutEffect: given.withoutEffect,
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
