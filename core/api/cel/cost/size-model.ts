import type {JsonSchema} from '../../schema/json-schema.js';
import {fieldName} from '../field-names.js';

/** Maximum request body: no value can be larger. */
const requestBytes = 3 * 1024 * 1024;
/** Minimum sizes in JSON. */
const minimumBytes = {string: 2, boolean: 4, number: 1, duration: 3, date: 12, 'date-time': 21, container: 2} as const;
/** Maximum sizes of strings with these formats. */
const formatBytes: Readonly<Record<string, number>> = {duration: 32, date: 12, 'date-time': 32};

/** What is known about the sizes of a value and its parts. */
export interface SizeModel {
  /** Maximum bytes of a string, items of a list or entries of a map; 0 for values of fixed size. */
  readonly maxElements: number;
  /** Items of a list, values of a map. */
  readonly item?: SizeModel | undefined;
  readonly key?: SizeModel | undefined;
  /** The member of an object that expressions access by this name. */
  field?(name: string): SizeModel | undefined;
}

const scalar: SizeModel = {maxElements: 0};
const text: JsonSchema = {type: 'string'};
const metadata: JsonSchema = {type: 'object', properties: {name: text, generateName: text}};

/**
 * The sizes that a schema allows (Kubernetes' `SchemaDeclType`): its own bounds or, without any, as much as fits into a request. Parts are
 * computed on demand.
 */
export class SchemaSizes implements SizeModel {
  readonly #schema: JsonSchema;
  #fields: ReadonlyMap<string, SchemaSizes> | undefined;
  #item: SchemaSizes | undefined;
  #maximum: number | undefined;

  /** @param isResource whether this is an API object, whose type and names are visible to every expression */
  constructor(schema: JsonSchema, isResource = schema['x-kubernetes-embedded-resource'] === true) {
    this.#schema = isResource ? withTypeAndNames(schema) : schema;
  }

  /** Whether expressions can see the value. */
  get isVisible(): boolean {
    const {type} = this.#schema;
    if (this.#schema['x-kubernetes-int-or-string'] === true || this.#schema['x-orch-expression-type'] !== undefined) return true;
    if (type === 'array') return this.item?.isVisible === true;
    if (type === 'object') return this.item === undefined || this.item.isVisible;
    return type === 'string' || type === 'boolean' || type === 'integer' || type === 'number';
  }

  get item(): SchemaSizes | undefined {
    const {items, additionalProperties} = this.#schema;
    const part = this.#schema.type === 'array' ? items : additionalProperties;
    if (typeof part !== 'object') return undefined;
    return (this.#item ??= new SchemaSizes(part));
  }

  get key(): SizeModel | undefined {
    return this.#schema.type === 'object' ? scalar : undefined;
  }

  field(name: string): SchemaSizes | undefined {
    this.#fields ??= new Map(
      Object.entries(this.#schema.properties ?? {}).flatMap(([member, schema]) => {
        const sizes = new SchemaSizes(schema);
        const name = fieldName(member);
        return name === undefined || !sizes.isVisible ? [] : [[name, sizes] as const];
      }),
    );
    return this.#fields.get(name) ?? this.#ofAnyName;
  }

  /** The values of a map that have no type of their own: Kubernetes takes their size for those that are selected by name, too. */
  get #ofAnyName(): SchemaSizes | undefined {
    const {additionalProperties} = this.#schema;
    const own = typeof additionalProperties === 'object' ? additionalProperties['x-orch-expression-type'] : undefined;
    return own === 'dyn' || own === 'any' ? this.item : undefined;
  }

  get maxElements(): number {
    return (this.#maximum ??= this.#makeMaximum());
  }

  #makeMaximum(): number {
    const {type, maxItems, maxProperties, maxLength} = this.#schema;
    if (this.#schema['x-orch-expression-type'] !== undefined) return notNegative(maxLength) ?? 0;
    if (this.#schema['x-kubernetes-int-or-string'] === true) {
      const longest = notNegative(maxLength);
      return longest === undefined ? requestBytes - 2 : longest * 4;
    }
    if (type === 'string') return this.#maximumText();
    const {item} = this;
    if (!item) return 0;
    // An item takes a comma, an entry also two quotes, a two-byte key and a colon.
    if (type === 'array') return notNegative(maxItems) ?? Math.floor((requestBytes - 2) / (item.minimumSize + 1));
    return notNegative(maxProperties) ?? Math.floor((requestBytes - 2) / (item.minimumSize + 6));
  }

  /** Minimum number of bytes in JSON. */
  get minimumSize(): number {
    const {type, format} = this.#schema;
    if (this.#schema['x-kubernetes-int-or-string'] === true) return minimumBytes.number;
    switch (type) {
      case 'string':
        return format === 'duration' || format === 'date' || format === 'date-time' ? minimumBytes[format] : minimumBytes.string;
      case 'boolean':
        return minimumBytes.boolean;
      case 'object':
        return this.item ? minimumBytes.container : this.#minimumObject();
      case 'array':
        return minimumBytes.container;
      default:
        return minimumBytes.number;
    }
  }

  #maximumText(): number {
    const {format, maxLength} = this.#schema;
    const ofFormat = format !== undefined && Object.hasOwn(formatBytes, format) ? formatBytes[format] : undefined;
    if (ofFormat !== undefined) return ofFormat;
    // A character takes at most four bytes.
    const longest = notNegative(maxLength);
    if (longest !== undefined) return longest * (format === 'byte' ? 1 : 4);
    const texts = (this.#schema.enum ?? []).filter((entry) => typeof entry === 'string');
    return texts.length > 0 ? Math.max(...texts.map((entry) => Buffer.byteLength(entry))) : requestBytes - 2;
  }

  /** The minimum size of the required members without a default. */
  #minimumObject(): number {
    let size: number = minimumBytes.container;
    const {required, properties = {}} = this.#schema;
    for (const name of new Set(required)) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!schema || (schema.default !== undefined && schema.default !== null)) continue;
      const part = new SchemaSizes(schema);
      if (part.isVisible) size += Buffer.byteLength(name) + part.minimumSize + 4;
    }
    return size;
  }
}

/** How often a value of such a size can occur in one object if no list or map around it is bounded. */
export function greatestCount({minimumSize}: SchemaSizes): number {
  return Math.floor(requestBytes / (minimumSize + 1));
}

/** How many parts a place can have: a number for each surrounding object; undefined if unbounded. */
export function partsOf({type, maxItems, maxProperties, additionalProperties}: JsonSchema): number | undefined {
  if (type === 'array') return notNegative(maxItems);
  return type === 'object' && additionalProperties !== undefined ? notNegative(maxProperties) : 1;
}

/** Bounds above 2^53 are bigints; the nearest number is precise enough here. */
function notNegative(bound: number | bigint | undefined): number | undefined {
  return bound === undefined ? undefined : Math.max(0, Number(bound));
}

function withTypeAndNames(schema: JsonSchema): JsonSchema {
  const {kind, apiVersion, metadata: given} = schema.properties ?? {};
  const names = given?.type === 'object' ? given.properties : undefined;
  if (
    kind?.type === 'string' &&
    apiVersion?.type === 'string' &&
    names?.['name']?.type === 'string' &&
    names['generateName']?.type === 'string'
  )
    return schema;
  return {...schema, properties: {...schema.properties, kind: text, apiVersion: text, metadata}};
}
