import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {equalJson} from '../../../../sdk/values/equal-json.js';
import {isJsonObject} from '../../json/is-json-object.js';
import type {SchemaNode} from '../schema-node.js';

/**
 * A place of an object together with what an update found there: it decides whether what is invalid may stay (Kubernetes' `CorrelatedObject`). Only what the schema
 * describes has an old value: its properties, the values of its maps, and the items of lists of type map, which keys identify.
 */
export class Correlation {
  readonly #node: SchemaNode;
  readonly #value: JsonValue;
  readonly #old: JsonValue;
  #isUnchanged: boolean | undefined;
  #children: Map<string | number, Correlation | undefined> | undefined;
  #oldItems: Map<string, JsonValue> | undefined;

  constructor(node: SchemaNode, value: JsonValue, old: JsonValue) {
    this.#node = node;
    this.#value = value;
    this.#old = old;
  }

  /**
   * Whether the update left it as it was. Items of a list of type map may have another order. An object with members that its schema does not describe, metadata
   * among them, counts as changed.
   */
  get isUnchanged(): boolean {
    return (this.#isUnchanged ??= this.#compare());
  }

  /** What a member was; undefined for one that is new or that the schema does not describe. */
  member(name: string): Correlation | undefined {
    return this.#child(name, () => {
      if (!isJsonObject(this.#value) || !isJsonObject(this.#old)) return undefined;
      if (!Object.hasOwn(this.#value, name) || !Object.hasOwn(this.#old, name)) return undefined;
      return made(this.#describedMember(name), this.#value[name], this.#old[name]);
    });
  }

  /** What an item of a list of type map was; undefined for one that is new, and in other lists. */
  item(index: number): Correlation | undefined {
    return this.#child(index, () => {
      const {listType, items} = this.#node;
      if (listType !== 'map' || !items || !Array.isArray(this.#value) || !Array.isArray(this.#old)) return undefined;
      const value = this.#value[index];
      this.#oldItems ??= firstByKeys(this.#old, this.#node.listMapKeys);
      const old = isJsonObject(value) ? this.#oldItems.get(keysText(value, this.#node.listMapKeys)) : undefined;
      return old === null ? undefined : made(items, value, old);
    });
  }

  #child(step: string | number, make: () => Correlation | undefined): Correlation | undefined {
    this.#children ??= new Map();
    if (!this.#children.has(step)) this.#children.set(step, make());
    return this.#children.get(step);
  }

  /** Of type and metadata, a schema describes what it says itself. */
  #describedMember(name: string): SchemaNode | undefined {
    const {schema, properties, additional, isResource, metadataRules} = this.#node;
    if (schema.properties === undefined || !Object.hasOwn(schema.properties, name)) return additional;
    return isResource && name === 'metadata' ? metadataRules : properties.get(name);
  }

  #compare(): boolean {
    const [value, old] = [this.#value, this.#old];
    if (Array.isArray(value) && Array.isArray(old)) {
      if (this.#node.listType !== 'map' || !this.#node.items) return equalJson(value, old);
      return value.length === old.length && value.every((_item, index) => this.item(index)?.isUnchanged === true);
    }
    if (isJsonObject(value) && isJsonObject(old)) {
      const names = Object.keys(value);
      return names.length === Object.keys(old).length && names.every((name) => this.member(name)?.isUnchanged === true);
    }
    return equalJson(value, old);
  }
}

function made(node: SchemaNode | undefined, value: JsonValue | undefined, old: JsonValue | undefined): Correlation | undefined {
  return node && value !== undefined && old !== undefined ? new Correlation(node, value, old) : undefined;
}

/** Of items with the same keys the first counts. */
function firstByKeys(list: readonly JsonValue[], keys: readonly string[]): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  for (const item of list) {
    if (!isJsonObject(item)) continue;
    const text = keysText(item, keys);
    if (!found.has(text)) found.set(text, item);
  }
  return found;
}

/** Strings differ from all other values, and an integer is the same as a number or a bigint. */
function keysText(item: JsonObject, keys: readonly string[]): string {
  return JSON.stringify(
    keys.map((key) => {
      const value = Object.hasOwn(item, key) ? item[key] : undefined;
      return typeof value === 'string' ? [value] : String(value as number | bigint | boolean | null | undefined);
    }),
  );
}
