import type {FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import type {JsonValue} from '../objects/api-object.js';
import type {Interruptible} from './scheduler.js';

/** Checks schemas and values as the engine that serves resource types does, for plugins that take schemas from users. */
export interface Schemas {
  /**
   * All errors of a value against a structural schema: types, unknown fields, value rules.
   *
   * @param path path of the value
   * @param mayHaveUnknown whether unknown fields are allowed
   */
  valueFaults(schema: Readonly<Record<string, unknown>>, value: JsonValue, path: FieldPath, mayHaveUnknown?: boolean): FieldError[];
  /** Why a regular expression cannot be used in a schema; undefined when it can. */
  patternFault(pattern: string): string | undefined;
  /** Whether the format of values of a type (undefined for any) is checked. Others are only descriptions. */
  knowsFormat(type: string | undefined, format: string): boolean;
  /** Why a JSON path cannot be used as a printer column; undefined when it can. */
  jsonPathFault(path: string): string | undefined;
  /**
   * Loads the modules that check schemas, one part per turn of the event loop. Otherwise the first check loads them all at once, which
   * takes tens of milliseconds.
   *
   * @param withRules also load what validation rules need
   */
  prepare(withRules: boolean): Promise<void>;
  /**
   * All errors of the validation rules (`x-kubernetes-validations`) in the schema of an API object: syntax, types, their estimated
   * cost for the largest objects, and defaults that break them. There may be very many rules.
   *
   * @param path path of the schema
   * @param isFaulty whether a path, or one below it, has errors of another kind: its rules are then skipped
   */
  ruleFaults(
    schema: Readonly<Record<string, unknown>>,
    path: FieldPath,
    isFaulty?: (path: FieldPath) => boolean,
  ): Interruptible<FieldError[]>;
}
