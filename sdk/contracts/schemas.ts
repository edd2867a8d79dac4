import type {FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import type {JsonValue} from '../objects/api-object.js';

/** What the engine that serves resource types says of schemas and values, for plugins that take schemas from users. */
export interface Schemas {
  /**
   * All faults of a value against a structural schema: types, unknown fields, value rules.
   *
   * @param path where the value stands
   * @param mayHaveUnknown whether unknown fields are no fault
   */
  valueFaults(schema: Readonly<Record<string, unknown>>, value: JsonValue, path: FieldPath, mayHaveUnknown?: boolean): FieldError[];
  /** Why a regular expression cannot be used in a schema; undefined when it can. */
  patternFault(pattern: string): string | undefined;
  /** Why a JSON path cannot be used as a printer column; undefined when it can. */
  jsonPathFault(path: string): string | undefined;
  /**
   * Loads what schemas are judged with, a part in each turn of the event loop. Without it the first judgements do so at once, which takes
   * tens of milliseconds.
   *
   * @param withRules also what validation rules need
   */
  prepare(withRules: boolean): Promise<void>;
  /**
   * All faults of the validation rules (`x-kubernetes-validations`) in the schema of an API object: syntax, types, what they would
   * cost for the largest objects, and defaults that break them.
   *
   * @param path where the schema stands
   * @param isFaulty whether a place has faults of another kind, at it or below: its rules are left out then
   */
  ruleFaults(schema: Readonly<Record<string, unknown>>, path: FieldPath, isFaulty?: (path: FieldPath) => boolean): FieldError[];
}
