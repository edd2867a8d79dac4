import {notSupported, type FieldError, type FieldPath} from '../../sdk/index.js';

/**
 * As `notSupported`, for the options of a request: Kubernetes lists what they may be in the order of its code, not of the alphabet.
 *
 * @param supported in that order
 */
export function unlistedValue(path: FieldPath, value: unknown, supported: readonly string[]): FieldError {
  const fault = notSupported(path, value, []);
  return {...fault, body: `${fault.body}${supported.map((one) => JSON.stringify(one)).join(', ')}`};
}
