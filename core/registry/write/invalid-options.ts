import {FieldPath, invalidObject, notSupported, parseApiVersion, type FieldError, type StatusError} from '../../../sdk/index.js';

/**
 * 422 for the options of a request.
 *
 * @param optionsVersion the `apiVersion` of options in the names that are served
 */
export function invalidOptions(optionsVersion: string, kind: string, faults: readonly FieldError[]): StatusError {
  return invalidObject({group: parseApiVersion(optionsVersion)!.group, kind}, '', faults);
}

/** @param values all of `dryRun`, empty ones too */
export function dryRunFaults(values: readonly unknown[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported(FieldPath.of('dryRun'), values, ['All'])];
}
