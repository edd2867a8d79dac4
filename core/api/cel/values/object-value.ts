import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {weightOfJson, type Weighed} from '../weight.js';

/** How a field of an object is found and converted. */
export interface Field {
  readonly member: string;
  valueOf(value: JsonValue): unknown;
}

/** An object as expressions see it: a map whose entries are made when they are first read. Members that are null count as absent. */
export class ObjectValue extends Map<string, unknown> implements Weighed {
  readonly raw: JsonObject;
  readonly #fields: ReadonlyMap<string, Field>;
  /** The names of fields by those of their members, made when they are first listed. */
  readonly #names: () => ReadonlyMap<string, string>;

  constructor(raw: JsonObject, fields: ReadonlyMap<string, Field>, names: () => ReadonlyMap<string, string>) {
    super();
    this.raw = raw;
    this.#fields = fields;
    this.#names = names;
  }

  override get(name: string): unknown {
    if (super.has(name)) return super.get(name);
    const field = this.#fields.get(name);
    if (!field || !Object.hasOwn(this.raw, field.member)) return undefined;
    const value = this.raw[field.member];
    if (value === undefined || value === null) return undefined;
    const made = field.valueOf(value);
    super.set(name, made);
    return made;
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  override get size(): number {
    return Object.keys(this.raw).length;
  }

  override *keys(): MapIterator<string> {
    const names = this.#names();
    for (const member of Object.keys(this.raw)) {
      const name = names.get(member);
      if (name !== undefined) yield name;
    }
  }

  override *entries(): MapIterator<[string, unknown]> {
    for (const name of this.keys()) yield [name, this.get(name)];
  }

  override *values(): MapIterator<unknown> {
    for (const name of this.keys()) yield this.get(name);
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }

  weigh(enough: number): number {
    return weightOfJson(this.raw, enough);
  }
}
