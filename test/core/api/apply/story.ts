import type {JsonObject, ManagedFieldsEntry} from '../../../../sdk/index.js';
import {applyConfiguration} from '../../../../core/api/apply/managers/apply-configuration.js';
import type {FieldScope} from '../../../../core/api/apply/managers/field-scope.js';
import {fieldsOfEntry, type ManagedFields} from '../../../../core/api/apply/managers/managed-fields.js';
import {trackUpdate, type Writer} from '../../../../core/api/apply/managers/track-update.js';
import type {TypeVersion} from '../../../../core/api/apply/managers/versions.js';
import {fieldsOf, type FieldSet} from '../../../../core/api/apply/fields/field-set.js';
import {sortedFields} from '../../../../core/api/apply/fields/normal-fields.js';
import {pathText} from '../../../../core/api/apply/fields/path-element.js';
import {MergeSchema} from '../../../../core/api/apply/typed/merge-schema.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {schemaBehaviour} from '../../../../core/api/schema/schema-behaviour.js';
import {SchemaNode} from '../../../../core/api/schema/schema-node.js';

/** The merge rules of a schema that stands by itself. */
export function mergeSchema(schema: JsonSchema): MergeSchema {
  const scope = {
    kubernetesSemantics: false,
    release: '1.26',
    naming: undefined,
    behaviour: schemaBehaviour({enabled: () => true}),
    resolve(reference: string): never {
      throw new Error(`no schema ${reference}`);
    },
  };
  return MergeSchema.of(new SchemaNode(schema, scope));
}

/** The fields of a set as texts. */
export function texts(set: FieldSet): string[] {
  return [...fieldsOf(sortedFields(set))].map(pathText);
}

export interface StoryOptions {
  /** How an object of one version becomes one of another; the versions do not differ without it. */
  readonly convert?: (object: JsonObject, to: string) => JsonObject;
  readonly scope?: FieldScope;
}

/** An object with its owners, and what is done to it. Versions are those of the given schemas; `v1` where nothing is said. */
export class Story {
  object: JsonObject = {apiVersion: 'v1'};
  entries: ManagedFields = [];
  readonly #versions = new Map<string, TypeVersion>();
  #clock = 0;

  constructor(
    schemas: MergeSchema | Readonly<Record<string, MergeSchema>>,
    private readonly options: StoryOptions = {},
  ) {
    this.changeSchemas(schemas);
  }

  /** From here on the type has these versions only. */
  changeSchemas(schemas: MergeSchema | Readonly<Record<string, MergeSchema>>): void {
    this.#versions.clear();
    for (const [apiVersion, schema] of Object.entries(schemas instanceof MergeSchema ? {v1: schemas} : schemas)) {
      const convert = (object: JsonObject) => this.#convert(object, apiVersion);
      this.#versions.set(apiVersion, {apiVersion, schema, convert});
    }
  }

  /** A write that gives the whole object. */
  async update(manager: string, object: JsonObject, version = 'v1'): Promise<void> {
    const before = this.#convert(this.object, version);
    const after = {...object, apiVersion: version};
    this.entries = await trackUpdate(
      before,
      after,
      this.entries,
      this.#version(version),
      (name) => this.#versions.get(name),
      this.#writer(manager),
      {isDue: false, yield: async () => undefined},
    );
    this.object = after;
  }

  /** Answers conflicts as `MANAGER FIELD`; the apply has taken place only when there are none or it was forced. */
  async apply(manager: string, config: JsonObject, {version = 'v1', force = false} = {}): Promise<string[]> {
    const {object, entries, conflicts} = await applyConfiguration({
      live: this.#convert(this.object, version),
      config: {...config, apiVersion: version},
      entries: this.entries,
      version: this.#version(version),
      find: (name) => this.#versions.get(name),
      applier: this.#writer(manager),
      normalize: async (object) => withoutNulls(object),
      writable: (object) => object,
      task: {isDue: false, yield: async () => undefined},
    });
    if (conflicts.length === 0 || force) {
      this.object = object;
      this.entries = entries;
    }
    return conflicts.flatMap(({owner, fields}) => texts(fields).map((text) => `${owner.manager} ${text}`));
  }

  /** The object without its version. */
  get content(): JsonObject {
    const {apiVersion: _apiVersion, ...content} = this.object;
    return content;
  }

  /** Fields by owner; appliers by their name, updaters as `NAME (update)`, versions other than `v1` behind it. */
  get owners(): Record<string, string[]> {
    return Object.fromEntries(this.entries.map((entry) => [ownerText(entry), texts(fieldsOfEntry(entry))]));
  }

  #version(name: string): TypeVersion {
    const version = this.#versions.get(name);
    if (!version) throw new Error(`the story has no version ${name}`);
    return version;
  }

  #convert(object: JsonObject, to: string): JsonObject {
    if (object['apiVersion'] === to) return object;
    return {...(this.options.convert?.(object, to) ?? object), apiVersion: to};
  }

  #writer(manager: string): Writer {
    this.#clock += 1;
    const time = new Date(Date.UTC(2030, 0, 1) + 1000 * this.#clock).toISOString().replace('.000', '');
    return {manager, subresource: '', time, scope: this.options.scope ?? {}};
  }
}

function ownerText({manager = '', operation, apiVersion}: ManagedFieldsEntry): string {
  return `${manager}${operation === 'Update' ? ' (update)' : ''}${apiVersion === 'v1' ? '' : ` ${apiVersion}`}`;
}

/** As decoding does it where null means nothing. */
export function withoutNulls(object: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(object), (_name, value: unknown) => (value === null ? undefined : value)) as JsonObject;
}

/** Shorthands for schemas. */
export const text: JsonSchema = {type: 'string'};
export const number: JsonSchema = {type: 'integer'};
export const struct = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
export const mapOf = (values: JsonSchema, more: JsonSchema = {}): JsonSchema => ({type: 'object', additionalProperties: values, ...more});
export const atomicList = (items: JsonSchema): JsonSchema => ({type: 'array', items, 'x-kubernetes-list-type': 'atomic'});
export const setList = (items: JsonSchema): JsonSchema => ({type: 'array', items, 'x-kubernetes-list-type': 'set'});
export const mapList = (keys: readonly string[], items: JsonSchema): JsonSchema => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
export const atomic: JsonSchema = {'x-kubernetes-map-type': 'atomic'};
