import type {NamingProfile} from '../../../sdk/index.js';
import {formatCheck} from './formats/string-formats.js';
import type {JsonSchema, Presence, ProtoField, TextForm, ValueForm} from './json-schema.js';
import type {SchemaBehaviour} from './schema-behaviour.js';
import {metaDocument} from './schema-document.js';

/** The type of a value. `any` is no restriction. */
export type NodeType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'any';

export type ListType = 'atomic' | 'set' | 'map';
export type MapType = 'granular' | 'atomic';

/** The part of a naming profile that schemas need. */
export type Names = Pick<NamingProfile, 'group' | 'key'>;

/** The context of a schema: how its references are resolved, and whether its document describes Kubernetes' own types. */
export interface SchemaScope {
  readonly kubernetesSemantics: boolean;
  /** How names in defaults are spelled; unchanged if undefined. */
  readonly naming: Names | undefined;
  readonly behaviour: SchemaBehaviour;
  /** The release whose language expressions speak. */
  readonly release: string;
  /** @throws Error if there is no such document or definition */
  resolve(reference: string): SchemaNode;
}

const nodeTypes: ReadonlySet<string> = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);
const noProperties: ReadonlyMap<string, SchemaNode> = new Map();
const noSchemas: readonly SchemaNode[] = [];

/**
 * One place in a schema with its references resolved, on which decoding, defaulting, validation, apply and merge work. A node reads its own
 * keywords on creation and its children on demand, so recursive schemas work and unused parts cost nothing.
 */
export class SchemaNode {
  /** The effective keywords: those beside a `$ref` override those of its target. */
  readonly schema: JsonSchema;
  /** The full reference (`core/v1#/definitions/Container`), if the schema here is one. */
  readonly reference: string | undefined;
  readonly type: NodeType;
  readonly format: string | undefined;
  /** The normal form of a string in a typed document. `bytes` is base64. */
  readonly form: TextForm | 'bytes' | undefined;
  readonly nullable: boolean;
  /**
   * Whether values behave like those of Kubernetes' own types: empty values are left out, null items become empty ones, integers have a
   * size, and value rules are checked by the strategy, not by the schema.
   */
  readonly kubernetesSemantics: boolean;
  /** When a field of a typed object is written. Undefined for fields of structural objects. */
  readonly presence: Presence | 'omit-empty' | undefined;
  /** Whether members that no property describes are kept. */
  readonly preserveUnknown: boolean;
  /** An API object: it has `apiVersion`, `kind` and `metadata` whether or not the schema lists them. */
  readonly isResource: boolean;
  readonly default: unknown;

  readonly #scope: SchemaScope;
  readonly #target: SchemaNode | undefined;
  #properties: ReadonlyMap<string, SchemaNode> | undefined;
  #items: SchemaNode | null | undefined;
  #additional: SchemaNode | null | undefined;
  #alternatives: readonly SchemaNode[] | undefined;
  #metadataRules: SchemaNode | null | undefined;

  /**
   * @param options.root whether this is the schema of an API object
   * @param options.reference the reference of the schema
   */
  constructor(schema: JsonSchema, scope: SchemaScope, options: {root?: boolean; reference?: string} = {}) {
    const target = schema.$ref === undefined ? undefined : scope.resolve(schema.$ref);
    const merged = target ? {...target.schema, ...schema, $ref: undefined} : schema;
    this.schema = merged;
    this.reference = options.reference ?? target?.reference;
    this.#target = target;
    this.#scope = target ? target.#scope : scope;
    this.kubernetesSemantics = target ? target.kubernetesSemantics : scope.kubernetesSemantics;
    this.presence = scope.kubernetesSemantics ? (schema['x-orch-presence'] ?? 'omit-empty') : undefined;
    this.isResource = options.root === true || merged['x-kubernetes-embedded-resource'] === true;
    this.preserveUnknown = merged['x-kubernetes-preserve-unknown-fields'] === true || merged.additionalProperties === true;
    this.type = typeOf(merged, this.isResource);
    this.format = merged.format;
    this.form = this.kubernetesSemantics
      ? (textForm(merged['x-orch-form']) ?? (merged.format === 'byte' ? 'bytes' : undefined))
      : undefined;
    this.nullable = merged.nullable === true;
    this.default = namedDefault(merged, this.#scope.naming);
  }

  /** What the release does differently with values. */
  get behaviour(): SchemaBehaviour {
    return this.#scope.behaviour;
  }

  /** Whether values are held to the format; always so without one. */
  get knowsFormat(): boolean {
    const {type, format} = this.schema;
    if (!format) return true;
    if (type === 'integer' || type === 'number') return this.behaviour.checksNumberFormats && numberFormats[type].includes(format);
    return (type === undefined || type === 'string') && formatCheck(format, this.behaviour.hasNameFormats) !== undefined;
  }

  /** Named members of an object. */
  get properties(): ReadonlyMap<string, SchemaNode> {
    return (this.#properties ??= this.#target && !this.isResource ? this.#target.properties : this.#makeProperties());
  }

  /** Items of a list; undefined if the schema does not say. */
  get items(): SchemaNode | undefined {
    if (this.#items === undefined) this.#items = this.#target ? (this.#target.items ?? null) : this.#child(this.schema.items);
    return this.#items ?? undefined;
  }

  /** Values of a map with arbitrary keys; undefined if there are none or nothing is known about them. */
  get additional(): SchemaNode | undefined {
    if (this.#additional === undefined)
      this.#additional = this.#target ? (this.#target.additional ?? null) : this.#child(this.schema.additionalProperties);
    return this.#additional ?? undefined;
  }

  /** The release whose language the expressions in it speak. */
  get release(): string {
    return this.#scope.release;
  }

  /** Alternative schemas: a value follows the first one that has its JSON type (`x-orch-alternatives`). */
  get alternatives(): readonly SchemaNode[] {
    return (this.#alternatives ??= this.schema['x-orch-alternatives']?.map((entry) => new SchemaNode(entry, this.#scope)) ?? noSchemas);
  }

  /** The schema of a member: its property, or the schema of all other members. */
  member(name: string): SchemaNode | undefined {
    return this.properties.get(name) ?? this.additional;
  }

  /** How lists merge on apply; `atomic` by default. Strategic merge keys imply it for built-in types. */
  get listType(): ListType {
    const given = this.schema['x-kubernetes-list-type'];
    if (given === 'set' || given === 'map' || given === 'atomic') return given;
    if (!this.patchStrategies.includes('merge')) return 'atomic';
    return this.patchMergeKey === undefined ? 'set' : 'map';
  }

  /** Keys of a list of type map. */
  get listMapKeys(): readonly string[] {
    const given = this.schema['x-kubernetes-list-map-keys'];
    if (given) return given;
    return this.patchMergeKey === undefined ? [] : [this.patchMergeKey];
  }

  /** How objects merge on apply. */
  get mapType(): MapType {
    return this.schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular';
  }

  /** Strategic merge: `merge`, `replace`, `retainKeys`; several may apply. */
  get patchStrategies(): readonly string[] {
    const given = this.schema['x-kubernetes-patch-strategy'];
    return given === undefined ? [] : given.split(',');
  }

  get patchMergeKey(): string | undefined {
    return this.schema['x-kubernetes-patch-merge-key'];
  }

  /** The field's number in protobuf, and its name and type if they do not follow from the schema. */
  get protoField(): ProtoField | undefined {
    return this.schema['x-orch-field'];
  }

  get immutable(): boolean {
    return this.schema['x-orch-immutable'] === true;
  }

  /**
   * What a structural schema of an API object says about its metadata: it restricts values and provides defaults, but never defines which
   * fields exist.
   */
  get metadataRules(): SchemaNode | undefined {
    if (this.#metadataRules === undefined) {
      const given = this.isResource && !this.kubernetesSemantics ? this.schema.properties?.['metadata'] : undefined;
      this.#metadataRules = given ? new SchemaNode(given, this.#scope) : null;
    }
    return this.#metadataRules ?? undefined;
  }

  /** Schemas under `allOf`, `anyOf` or `oneOf`. Created on every call: cache them. */
  composition(keyword: 'allOf' | 'anyOf' | 'oneOf'): readonly SchemaNode[] {
    return this.schema[keyword]?.map((entry) => new SchemaNode(entry, this.#scope)) ?? noSchemas;
  }

  /** The schema under `not`. Created on every call: cache it. */
  negated(): SchemaNode | undefined {
    return this.schema.not === undefined ? undefined : new SchemaNode(this.schema.not, this.#scope);
  }

  #child(schema: JsonSchema | boolean | undefined): SchemaNode | null {
    return typeof schema === 'object' ? new SchemaNode(schema, this.#scope) : null;
  }

  #makeProperties(): ReadonlyMap<string, SchemaNode> {
    const given = this.schema.properties;
    if (!given && !this.isResource) return noProperties;
    const properties = new Map<string, SchemaNode>();
    for (const [name, schema] of Object.entries(given ?? {})) properties.set(name, new SchemaNode(schema, this.#scope));
    if (this.isResource && !this.kubernetesSemantics) {
      // The platform defines type and metadata; a schema can only restrict them (see `metadataRules`).
      for (const name of ['apiVersion', 'kind'] as const)
        properties.set(name, new SchemaNode({...given?.[name], type: 'string'}, this.#scope));
      properties.set('metadata', new SchemaNode({$ref: `${metaDocument}#/definitions/ObjectMeta`}, this.#scope));
    }
    return properties;
  }
}

const numberFormats: Readonly<Record<'integer' | 'number', readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

function typeOf(schema: JsonSchema, isResource: boolean): NodeType {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  // What is kept as bytes is read as it is, though it is published as an object.
  if (schema['x-orch-form'] === 'raw') return 'any';
  if (schema.type !== undefined && nodeTypes.has(schema.type)) return schema.type as NodeType;
  return isResource || schema.properties ? 'object' : 'any';
}

function textForm(form: ValueForm | undefined): TextForm | undefined {
  return form === 'time' || form === 'micro-time' || form === 'duration' || form === 'quantity' ? form : undefined;
}

function namedDefault(schema: JsonSchema, naming: Names | undefined): unknown {
  const kind = schema['x-orch-name'];
  return kind !== undefined && naming && typeof schema.default === 'string' ? naming[kind](schema.default) : schema.default;
}
