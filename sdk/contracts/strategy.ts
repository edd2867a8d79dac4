import type {FieldError} from '../errors/field-error.js';
import type {ApiObject} from '../objects/api-object.js';
import type {UserInfo} from './user.js';

/** The context of a write, for strategies. */
export interface StrategyContext {
  readonly user: UserInfo;
  readonly namespace: string;
  /** Empty on the main endpoint, otherwise the subresource. */
  readonly subresource: string;
  /** That of the request, as authorizers know it: `create`, `update`, `patch`. An apply is a `patch`. */
  readonly verb: string;
  /** Version in which the objects are passed: that of the request, in `validateCreate` and `validateUpdate` the storage version (see `behaviour.validation`). */
  readonly version: string;
  readonly dryRun: boolean;
  /** Time of the write. */
  readonly now: Date;
  warn(text: string): void;
}

/** What a delete does to an object that has no finalizers. */
export type DeleteDecision =
  /** It is removed at once. */
  | {readonly action: 'remove'}
  /** It is marked and stays until its grace period ends or, without one, until `mayRemove` lets it go. */
  | {readonly action: 'terminate'; readonly gracePeriodSeconds?: number};

/** A condition of a whole Table row. The type that clients know is `Completed`: the object has run to completion. */
export interface TableRowCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word. */
  readonly reason?: string;
  readonly message?: string;
}

/**
 * The behaviour of a resource type beyond its schema. Contributed by a plugin as a class decorated with `@strategy`.
 * Every method is optional; the registry calls them in the order listed here.
 *
 * Objects are plain JSON. Methods that say so change the object in place; no other method may.
 */
export interface ResourceStrategy<T extends ApiObject = ApiObject> {
  /**
   * Converts the object to another version of the type (or of the type that it is stored as), without loss. Called only if the versions differ.
   * Must not change `object`; may share parts with it. Without it, versions differ only in `apiVersion` and in the fields that they lack.
   */
  convert?(object: T, to: {readonly group: string; readonly version: string}): ApiObject;
  /**
   * Like `convert`, for a type converted outside the process: takes the objects of one read, at most 2 MiB per call, and returns them in the
   * same order. Replaces `convert`. Called only for objects in a version other than `to`; must not change them. Rejects with a
   * `StatusError` that says what is wrong.
   */
  convertMany?(objects: readonly T[], to: {readonly group: string; readonly version: string}): Promise<readonly ApiObject[]>;
  /**
   * Sets defaults that the schema cannot express (those that depend on other fields). Changes `object`, which is in the version of the request, and in the storage
   * version before it is stored and when one is read that was stored with another schema: so it must know both.
   */
  applyDefaults?(object: T): void;
  /** Clears or sets what a client may not choose. Changes `object`. Runs after mutating admission's defaults, before validation. */
  prepareForCreate?(object: T, context: StrategyContext): void | Promise<void>;
  /** Like `prepareForCreate`, for updates, patches and applies. `old` must not be changed. */
  prepareForUpdate?(object: T, old: T, context: StrategyContext): void | Promise<void>;
  /**
   * All errors of a new object, in the storage version, whichever version the client speaks. They are reported together with those of the metadata and of the schema, whose
   * types hold while its other rules may be broken; what this throws then is not reported. What a built-in (typed) schema marks as required or lists as enum must be checked here.
   */
  validateCreate?(object: T, context: StrategyContext): FieldError[] | Promise<FieldError[]>;
  /** All errors of a changed object. */
  validateUpdate?(object: T, old: T, context: StrategyContext): FieldError[] | Promise<FieldError[]>;
  /** Normalizes a valid object (sorts sets). Changes `object`. */
  canonicalize?(object: T): void;
  /** What a delete does; `remove` by default. Changes `object` if it returns `terminate`. */
  beforeDelete?(object: T, requestedGracePeriodSeconds: number | undefined, context: StrategyContext): DeleteDecision;
  /** For a terminating object without finalizers: whether it may be removed now. True by default. */
  mayRemove?(object: T): boolean;
  /** Values of the type's selectable fields that are not simply the string at their path. */
  selectableFields?(object: T): Record<string, string>;
  /** Cells of the type's Table columns that have no JSON path, by column name. `Age` is the age of the object unless it is given. */
  tableCells?(object: T, now: Date): Record<string, string | number | boolean | null>;
  /** Conditions of the object's row in a Table; none by default. */
  rowConditions?(object: T): readonly TableRowCondition[];
  /** Prepares what the strategy needs when the server starts, for example objects that must exist. */
  start?(signal: AbortSignal): Promise<void>;
  /**
   * The store has lost its data, an operator has accepted that, and the server goes on: makes again the objects that `start` sees to.
   * Called beside requests and other servers that do the same.
   */
  bootstrap?(signal: AbortSignal): Promise<void>;
  stop?(): Promise<void>;
}
