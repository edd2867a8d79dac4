import type {Environment} from '@marcbachmann/cel-js';
import type {JsonValue} from '../../../sdk/index.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {isJsonObject} from '../json/is-json-object.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {celScalar, scalarType} from './cel-scalars.js';
import {meter} from './cost-meter.js';
import {Entries} from './entries.js';
import {fieldNames} from './field-names.js';
import {nullObject, ObjectValue, type Field, type ObjectValueClass} from './object-value.js';

/** The members of a resource's metadata that expressions see (Kubernetes exposes no more). */
const metadataMembers: readonly string[] = ['name', 'generateName'];

/** To make an item for expressions: lists are made while an expression that reads them is evaluated. */
const stepsPerItem = 2;

interface ObjectType {
  readonly name: string;
  readonly make: ObjectValueClass;
}

/** CEL types for the places of a schema, and JSON values as values of these types. Objects are converted lazily, member by member. */
export class CelTypes {
  readonly #objects = new Map<SchemaNode, ObjectType>();
  #metadata: ObjectType | undefined;
  #count = 0;
  readonly #environment: Environment;

  /** @param environment where the types are registered */
  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The name of the type of a place; undefined if nothing is known about its values, which expressions cannot see then. */
  typeOf(node: SchemaNode): string | undefined {
    const own = node.schema['x-orch-expression-type'];
    if (own !== undefined) return own;
    switch (node.type) {
      case 'array': {
        const item = node.items && this.typeOf(node.items);
        return item === undefined ? undefined : `list<${item}>`;
      }
      case 'object': {
        if (isStructure(node)) return this.#objectType(node).name;
        const value = this.typeOf(node.additional!);
        return value === undefined ? undefined : `map<string, ${value}>`;
      }
      default:
        return scalarType(node);
    }
  }

  /** A value as expressions see it. It must have the right type already. */
  valueOf(node: SchemaNode, value: JsonValue): unknown {
    if (value === null) return null;
    if (Array.isArray(value)) {
      const {items} = node;
      meter.spend(value.length * stepsPerItem);
      return items ? value.map((item) => this.valueOf(items, item)) : value.map(untypedValue);
    }
    if (isJsonObject(value)) {
      if (node.type !== 'object') return untypedValue(value);
      if (isStructure(node)) return new (this.#objectType(node).make)(value);
      const values = node.additional!;
      return new Entries(value, (entry) => this.valueOf(values, entry), false);
    }
    return celScalar(node, value);
  }

  /** Lets a variable that is an object be null: it is compared with null, and has no members then. */
  allowNull(node: SchemaNode): void {
    if (node.type !== 'object' || !isStructure(node)) return;
    const {name} = this.#objectType(node);
    this.#environment.registerOperator(`${name} == null`, (value: ObjectValue) => value.isNull);
  }

  /** The value of a variable, which may be null. */
  variableOf(node: SchemaNode, value: JsonValue): unknown {
    return this.valueOf(node, value === null && node.type === 'object' && isStructure(node) ? nullObject : value);
  }

  #objectType(node: SchemaNode): ObjectType {
    let type = this.#objects.get(node);
    if (!type) {
      const fields = new Map<string, Field>();
      // Registered before its fields are converted, so that a schema may refer back to itself.
      type = this.#makeType(fields);
      this.#objects.set(node, type);
      const declared: Record<string, string> = {};
      for (const [member, property] of node.properties) {
        const isMetadata = node.isResource && member === 'metadata';
        const name = isMetadata ? this.#metadataType().name : this.typeOf(property);
        if (name === undefined) continue;
        const valueOf = isMetadata
          ? (value: JsonValue) => (isJsonObject(value) ? new (this.#metadataType().make)(value) : undefined)
          : (value: JsonValue) => this.valueOf(property, value);
        for (const field of fieldNames(member)) {
          fields.set(field, {member, valueOf});
          declared[field] = name;
        }
      }
      this.#register(type, declared);
    }
    return type;
  }

  #metadataType(): ObjectType {
    if (!this.#metadata) {
      const fields = new Map<string, Field>(metadataMembers.map((member) => [member, {member, valueOf: (value) => value}]));
      this.#metadata = this.#makeType(fields);
      this.#register(this.#metadata, Object.fromEntries(metadataMembers.map((member) => [member, 'string'])));
    }
    return this.#metadata;
  }

  #makeType(fields: ReadonlyMap<string, Field>): ObjectType {
    this.#count += 1;
    return {
      // The library remembers every name ever used, so there are few names and every schema reuses them.
      name: `object${this.#count}`,
      make: class extends ObjectValue {
        protected override get fields(): ReadonlyMap<string, Field> {
          return fields;
        }
      },
    };
  }

  #register({name, make}: ObjectType, fields: Record<string, string>): void {
    this.#environment.registerType(name, {ctor: make, fields});
    this.#environment.registerOperator(`${name} == ${name}`, (a: ObjectValue, b: ObjectValue) => equalJson(a.raw, b.raw));
  }
}

/** An object with named members, as opposed to a map. */
function isStructure(node: SchemaNode): boolean {
  return node.properties.size > 0 || !node.additional;
}

/** A value without a schema, as expressions see it. */
export function untypedValue(value: JsonValue): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) {
    meter.spend(value.length * stepsPerItem);
    return value.map(untypedValue);
  }
  return isJsonObject(value) ? new Entries(value, untypedValue, true) : value;
}
