import type {JsonObject} from '../../../../sdk/index.js';
import {union, type FieldSet} from '../fields/field-set.js';
import {compareObjects, type Comparison} from '../typed/compare.js';
import type {MergeSchema} from '../typed/merge-schema.js';

/** One version of a type, as the owners of its fields see it. */
export interface TypeVersion {
  readonly apiVersion: string;
  readonly schema: MergeSchema;
  /** Converts an object of any version of the type to this version. Must not modify it. */
  convert(object: JsonObject): JsonObject | Promise<JsonObject>;
}

/** Finds a version by its `apiVersion`; undefined if the type does not have it or no longer has it. */
export type FindVersion = (apiVersion: string) => TypeVersion | undefined;

/** The fields affected by a change. */
export interface Changes {
  /** Added or modified. */
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

/** The difference between two states of an object, as seen in each version; computed on demand. */
export class VersionedComparison {
  /** In the version of the write. */
  readonly own: Changes;
  readonly #version: string;
  readonly #others = new Map<string, Changes | undefined>();
  readonly #before: JsonObject;
  readonly #after: JsonObject;

  constructor(before: JsonObject, after: JsonObject, {apiVersion}: TypeVersion, comparison: Comparison) {
    this.#before = before;
    this.#after = after;
    this.#version = apiVersion;
    this.own = changesOf(comparison);
  }

  in(version: TypeVersion): Changes | undefined | Promise<Changes | undefined> {
    const {apiVersion} = version;
    if (apiVersion === this.#version) return this.own;
    return this.#others.has(apiVersion) ? this.#others.get(apiVersion) : this.#compare(version);
  }

  async #compare(version: TypeVersion): Promise<Changes | undefined> {
    const comparison = compareObjects(version.schema, await version.convert(this.#before), await version.convert(this.#after));
    const changes = comparison && changesOf(comparison);
    this.#others.set(version.apiVersion, changes);
    return changes;
  }
}

function changesOf({added, modified, removed}: Comparison): Changes {
  return {written: union(modified, added), removed};
}
