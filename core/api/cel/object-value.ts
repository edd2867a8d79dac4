import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {weightOfJson, type Weighed} from './weight.js';

/** How a field of an object is found and converted. */
export interface Field {
  readonly member: string;
  valueOf(value: JsonValue): unknown;
}

/** A class of object values, one for each type, because the library distinguishes types by class. */
export type ObjectValueClass = new (raw: JsonObject) => ObjectValue;

/** In place of null: it has no members. */
export const nullObject: JsonObject = Object.freeze({});

/** An object as expressions see it: a map whose entries are created on demand. Null members count as absent. */
export abstract class ObjectValue extends Map<string, unknown> implements Weighed {
  constructor(readonly raw: JsonObject) {
    super();
  }

  /** Whether it stands for null, where a type has to be known. */
  get isNull(): boolean {
    return this.raw === nullObject;
  }

  protected abstract get fields(): ReadonlyMap<string, Field>;

  override get(name: string): unknown {
    if (super.has(name)) return super.get(name);
    const field = this.fields.get(name);
    if (!field || !Object.hasOwn(this.raw, field.member)) return undefined;
    const value = this.raw[field.member];
    if (value === undefined || value === null) return undefined;
    const made = field.valueOf(value);
    super.set(name, made);
    return made;
  }

  weigh(enough: number): number {
    return weightOfJson(this.raw, enough);
  }

  equals(other: unknown): boolean {
    return other instanceof ObjectValue && equalJson(this.raw, other.raw);
  }
}
