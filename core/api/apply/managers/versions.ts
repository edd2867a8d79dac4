import type {JsonObject} from '../../../../sdk/index.js';
import {compareObjects, type Comparison} from '../typed/compare.js';
import type {MergeSchema} from '../typed/merge-schema.js';

/** One version of a type, as owners of its fields know it. */
export interface TypeVersion {
  readonly apiVersion: string;
  readonly schema: MergeSchema;
  /** The object in this version, whatever version of the type it is in. Must not change it. */
  convert(object: JsonObject): JsonObject | Promise<JsonObject>;
}

/** Finds a version by its `apiVersion`; undefined when the type does not have it (any more). */
export type FindVersion = (apiVersion: string) => TypeVersion | undefined;

/** The difference between two states of an object as each version has it; worked out when it is asked for. */
export class VersionedComparison {
  readonly #known = new Map<string, Comparison | undefined>();

  constructor(
    private readonly before: JsonObject,
    private readonly after: JsonObject,
    own: TypeVersion,
    comparison: Comparison,
  ) {
    this.#known.set(own.apiVersion, comparison);
  }

  async in(version: TypeVersion): Promise<Comparison | undefined> {
    const {apiVersion} = version;
    if (!this.#known.has(apiVersion)) {
      this.#known.set(apiVersion, compareObjects(version.schema, await version.convert(this.before), await version.convert(this.after)));
    }
    return this.#known.get(apiVersion);
  }
}
