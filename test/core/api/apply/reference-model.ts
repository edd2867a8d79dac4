import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {keyElement, memberElement, valueElement} from '../../../../core/api/apply/fields/path-element.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';

/** What stands at a place of an object: a value with one owner, or a place with others below it. */
interface Place {
  readonly kind: 'leaf' | 'object' | 'list';
  readonly value?: string;
}

/** An object with every place written out, by the JSON of its path. */
export type Flat = ReadonlyMap<string, Place>;
type Paths = ReadonlySet<string>;

/**
 * Ownership and merging over sets of written-out paths: slow and plain, to compare with. For one version of a type; the order of items
 * does not count.
 */
export class ReferenceModel {
  object: Flat = new Map();
  owners = new Map<string, Paths>();

  constructor(private readonly schema: JsonSchema) {}

  update(manager: string, value: JsonObject): void {
    const after = this.flatten(value);
    const {added, modified, removed} = compare(this.object, after);
    const owner = `${manager} (update)`;
    this.#takeFromAll(union(added, modified, removed));
    this.#give(owner, union(this.owners.get(owner) ?? new Set(), added, modified));
    this.object = after;
  }

  /** Answers conflicts as `OWNER PATH`. */
  apply(manager: string, value: JsonObject, force: boolean): string[] {
    const config = this.flatten(value);
    const own = this.#ownedBy(config);
    const last = this.owners.get(manager) ?? new Set<string>();
    const others = [...this.owners].filter(([owner]) => owner !== manager);
    const pruned = this.#prune(merge(this.object, config), last, union(own, ...others.map(([, fields]) => fields)));
    const result = merge(pruned, config);
    const {added, modified, removed} = compare(this.object, result);
    const taken = union(added, modified);
    const conflicts = others.flatMap(([owner, fields]) =>
      [...fields].filter((field) => taken.has(field)).map((field) => `${owner} ${field}`),
    );
    if (conflicts.length > 0 && !force) return conflicts;
    this.owners.delete(manager);
    this.#takeFromAll(union(taken, removed));
    this.#give(manager, own);
    this.object = result;
    return conflicts;
  }

  flatten(value: JsonObject): Map<string, Place> {
    const flat = new Map<string, Place>();
    this.#place(this.schema, value, [], flat);
    flat.delete('[]');
    return flat;
  }

  #place(schema: JsonSchema | undefined, value: JsonValue, path: readonly string[], flat: Map<string, Place>): void {
    const key = JSON.stringify(path);
    const below = (element: string, inner: JsonSchema | undefined, member: JsonValue) =>
      this.#place(inner, member, [...path, element], flat);
    if (Array.isArray(value) && isMergingList(schema)) {
      flat.set(key, {kind: 'list'});
      for (const item of value) below(itemElement(schema!, item), schema!.items, item);
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && schema?.['x-kubernetes-map-type'] !== 'atomic') {
      flat.set(key, {kind: 'object'});
      for (const [name, member] of Object.entries(value)) below(memberElement(name), memberSchema(schema, name), member!);
    } else {
      flat.set(key, {kind: 'leaf', value: canonical(value)});
    }
  }

  /** Leaves, items, keys of maps, and empty objects. */
  #ownedBy(flat: Flat): Paths {
    const owned = [...flat].filter(
      ([path, {kind}]) => kind === 'leaf' || !this.#isNamed(path) || (kind === 'object' && childrenOf(flat, path) === 0),
    );
    return new Set(owned.map(([path]) => path));
  }

  /** Whether the place is a field of a structure, as opposed to a key of a map or an item of a list. */
  #isNamed(path: string): boolean {
    let schema: JsonSchema | undefined = this.schema;
    let named = false;
    for (const element of JSON.parse(path) as string[]) {
      const name = element.slice(2);
      named = element.startsWith('f:') && schema?.properties?.[name] !== undefined;
      schema = element.startsWith('f:') ? memberSchema(schema, name) : schema?.items;
    }
    return named;
  }

  #withNames(paths: Paths): Paths {
    return union(paths, new Set([...paths].flatMap((path) => prefixesOf(path)).filter((path) => this.#isNamed(path))));
  }

  #prune(merged: Flat, last: Paths, owned: Paths): Flat {
    if (last.size === 0) return merged;
    const fields = (flat: Flat) => this.#withNames(this.#ownedBy(flat));
    const lastFields = this.#withNames(last);
    const keep = union(fields(remove(merged, lastFields)), this.#withNames(owned));
    const back = remove(merged, without(fields(merged), keep));
    const gone = without(fields(merged), fields(back));
    const result = remove(merged, new Set([...gone].filter((path) => lastFields.has(path))));
    // A structure that lost its last field is gone with it.
    return new Map(
      [...result].filter(
        ([path, {kind}]) => kind === 'leaf' || !this.#isNamed(path) || childrenOf(result, path) > 0 || childrenOf(merged, path) === 0,
      ),
    );
  }

  #takeFromAll(paths: Paths): void {
    for (const [owner, fields] of [...this.owners]) this.#give(owner, without(fields, paths));
  }

  #give(owner: string, fields: Paths): void {
    if (fields.size === 0) this.owners.delete(owner);
    else this.owners.set(owner, fields);
  }
}

function isMergingList(schema: JsonSchema | undefined): boolean {
  return schema?.['x-kubernetes-list-type'] === 'set' || schema?.['x-kubernetes-list-type'] === 'map';
}

function memberSchema(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  return schema?.properties?.[name] ?? (typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined);
}

function itemElement(schema: JsonSchema, item: JsonValue): string {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys) return valueElement(item);
  const value = (key: string) => (item as JsonObject)[key] ?? (schema.items?.properties?.[key]?.default as JsonValue);
  return keyElement([...keys].sort().map((key) => [key, value(key)] as const));
}

function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Every beginning of a path, the whole included. */
function prefixesOf(path: string): string[] {
  const elements = JSON.parse(path) as string[];
  return elements.map((_element, index) => JSON.stringify(elements.slice(0, index + 1)));
}

function childrenOf(flat: Flat, path: string): number {
  const start = `${path.slice(0, -1)},`;
  return [...flat.keys()].filter((other) => other.startsWith(start)).length;
}

function merge(live: Flat, config: Flat): Flat {
  const result = new Map(live);
  for (const [path, place] of config) {
    if (place.kind === 'leaf') for (const other of [...result.keys()]) if (prefixesOf(other).includes(path)) result.delete(other);
    result.set(path, place);
  }
  return result;
}

function remove(flat: Flat, paths: Paths): Flat {
  const left = new Map([...flat].filter(([path]) => !prefixesOf(path).some((prefix) => paths.has(prefix))));
  // What became empty is an empty object from now on, whatever it was.
  for (const [path, {kind}] of [...left])
    if (kind === 'list' && childrenOf(flat, path) > 0 && childrenOf(left, path) === 0) left.set(path, {kind: 'object'});
  return left;
}

function compare(before: Flat, after: Flat): {added: Paths; modified: Paths; removed: Paths} {
  const differs = (a: Place, b: Place) => (a.kind === 'leaf') !== (b.kind === 'leaf') || a.value !== b.value;
  return {
    added: new Set([...after.keys()].filter((path) => !before.has(path))),
    removed: new Set([...before.keys()].filter((path) => !after.has(path))),
    modified: new Set([...after].filter(([path, place]) => before.has(path) && differs(before.get(path)!, place)).map(([path]) => path)),
  };
}

function union(...sets: readonly Paths[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function without(set: Paths, other: Paths): Paths {
  return new Set([...set].filter((path) => !other.has(path)));
}
