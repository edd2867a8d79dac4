import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {meter} from '../cost-meter.js';
import {weightOfJson, type Weighed} from '../weight.js';

/** An object as a map whose values are made when they are first read: most expressions read little of it. */
export class Entries extends Map<string, unknown> implements Weighed {
  readonly raw: JsonObject;
  readonly #valueOf: (value: JsonValue) => unknown;
  /** Whether there is a schema for the values. */
  readonly isOfSchema: boolean;
  readonly #withNulls: boolean;
  readonly #missing: JsonValue | undefined;
  #madeMissing: unknown;
  #names: readonly string[] | undefined;

  /**
   * @param withNulls whether null is a value; members without a value do not exist
   * @param missing what is read where there is no member; by default that is an error
   */
  constructor(raw: JsonObject, valueOf: (value: JsonValue) => unknown, withNulls: boolean, missing?: JsonValue) {
    super();
    this.#missing = missing;
    this.raw = raw;
    this.#valueOf = valueOf;
    this.#withNulls = withNulls;
    this.isOfSchema = !withNulls;
  }

  override get(name: string): unknown {
    if (super.has(name)) return super.get(name);
    const value = Object.hasOwn(this.raw, name) ? this.raw[name] : undefined;
    if (value === undefined || (value === null && !this.#withNulls)) return this.#inPlace();
    const made = this.#valueOf(value);
    super.set(name, made);
    return made;
  }

  /** Whether a value that was read stands in for a missing one. */
  isMissing(value: unknown): boolean {
    return this.#madeMissing !== undefined && value === this.#madeMissing;
  }

  #inPlace(): unknown {
    if (this.#missing !== undefined) this.#madeMissing ??= this.#valueOf(this.#missing);
    return this.#madeMissing;
  }

  override has(name: string): boolean {
    if (!Object.hasOwn(this.raw, name)) return false;
    const value = this.raw[name];
    return value === null ? this.#withNulls : value !== undefined;
  }

  override get size(): number {
    return this.#keys().length;
  }

  override keys(): MapIterator<string> {
    return this.#keys().values() as MapIterator<string>;
  }

  override *entries(): MapIterator<[string, unknown]> {
    for (const name of this.#keys()) yield [name, this.get(name)];
  }

  override *values(): MapIterator<unknown> {
    for (const name of this.#keys()) yield this.get(name);
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }

  weigh(enough: number): number {
    return weightOfJson(this.raw, enough);
  }

  #keys(): readonly string[] {
    if (!this.#names) {
      const names = Object.keys(this.raw);
      meter.spend(names.length);
      this.#names = names.filter((name) => this.has(name));
    }
    return this.#names;
  }
}
