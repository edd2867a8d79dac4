import type {FieldError} from '../errors/field-error.js';
import type {ApiObject} from '../objects/api-object.js';
import type {UserInfo} from './user.js';

/** Circumstances of a write that a strategy may need. */
export interface StrategyContext {
  readonly user: UserInfo;
  readonly namespace: string;
  /** Empty on the main endpoint, else the subresource. */
  readonly subresource: string;
  /** Version of the request. Objects are always handed over in this version. */
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

/** Says something about a row of a Table as a whole. The type that clients know is `Completed`: its object has run to its end. */
export interface TableRowCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word. */
  readonly reason?: string;
  readonly message?: string;
}

/**
 * The behaviour of a resource type beyond its schema. Contributed by a plugin as a class decorated with `@strategy`.
 * Every method is optional; the registry calls them in the order in which they stand here.
 *
 * Objects are plain JSON. Methods that say so change the object in place; no other method may.
 */
export interface ResourceStrategy<T extends ApiObject = ApiObject> {
  /**
   * The object in another version of the type (or of the type that it is stored as), without loss. Called only where the versions differ.
   * Must not change `object`; may share parts with it. Without it versions differ in nothing but their `apiVersion` and the fields that they lack.
   */
  convert?(object: T, to: {readonly group: string; readonly version: string}): ApiObject;
  /**
   * As `convert`, for a type that something outside the process converts: the objects of one read, at most 2 MiB of them in one call, in the
   * same order. Takes the place of `convert`. Called only for objects in another version than `to`; must not change them. Rejects with a
   * `StatusError` that tells the client what is wrong.
   */
  convertMany?(objects: readonly T[], to: {readonly group: string; readonly version: string}): Promise<readonly ApiObject[]>;
  /** Fills in what the schema cannot say (a default that depends on other fields). Changes `object`. Also runs on objects read in from the store. */
  applyDefaults?(object: T): void;
  /** Clears or sets what a client may not choose. Changes `object`. Runs after mutating admission's defaults, before validation. */
  prepareForCreate?(object: T, context: StrategyContext): void | Promise<void>;
  /** As `prepareForCreate`, for updates, patches and applies. `old` must not be changed. */
  prepareForUpdate?(object: T, old: T, context: StrategyContext): void | Promise<void>;
  /**
   * All faults of a new object. Types, metadata and, for structural schemas, the schema's own rules were checked before; what a built-in (typed) schema marks as
   * required or lists as enum is the strategy's to check.
   */
  validateCreate?(object: T, context: StrategyContext): FieldError[] | Promise<FieldError[]>;
  /** All faults of a changed object. */
  validateUpdate?(object: T, old: T, context: StrategyContext): FieldError[] | Promise<FieldError[]>;
  /** Brings a valid object into its normal form (sorts what is a set). Changes `object`. */
  canonicalize?(object: T): void;
  /** What a delete does; `remove` by default. Changes `object` when it answers `terminate`. */
  beforeDelete?(object: T, requestedGracePeriodSeconds: number | undefined, context: StrategyContext): DeleteDecision;
  /** For a terminating object without finalizers: whether it may be removed now. True by default. */
  mayRemove?(object: T): boolean;
  /** Values of the type's selectable fields that are not simply the text at their path. */
  selectableFields?(object: T): Record<string, string>;
  /** Cells of the type's Table columns that have no JSON path, by column name. */
  tableCells?(object: T, now: Date): Record<string, string | number | boolean | null>;
  /** What is to be said about the object's row in a Table as a whole; nothing by default. */
  rowConditions?(object: T): readonly TableRowCondition[];
  /** Sets something up when the server starts, for example objects that must exist. */
  start?(signal: AbortSignal): Promise<void>;
  stop?(): Promise<void>;
}
