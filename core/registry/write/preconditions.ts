import {conflict} from '../../../sdk/index.js';
import {errorTarget, type ServedVersion} from '../served-version.js';

/** @throws 409 for an object that is another than the one that is meant, or where there is none */
export function checkUid(served: ServedVersion, name: string, wanted: string, actual = ''): void {
  if (wanted !== actual) throw mismatch(served, name, 'UID', wanted, actual);
}

/** @throws 409 for an object at another version than the one that is meant */
export function checkResourceVersion(served: ServedVersion, name: string, wanted: string, actual = ''): void {
  if (wanted !== actual) throw mismatch(served, name, 'ResourceVersion', wanted, actual);
}

function mismatch(served: ServedVersion, name: string, what: string, wanted: string, actual: string): Error {
  return conflict(errorTarget(served, name), `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`);
}
