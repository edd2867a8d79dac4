import {conflict} from '../../../sdk/index.js';
import {errorTarget, type ServedVersion} from '../served-version.js';

/** @throws 409 if the object is not the one with the given uid, or does not exist */
export function checkUid(served: ServedVersion, name: string, wanted: string, actual = ''): void {
  if (wanted !== actual) throw mismatch(served, name, 'UID', wanted, actual);
}

/** @throws 409 if the object does not have the given version */
export function checkResourceVersion(served: ServedVersion, name: string, wanted: string, actual = ''): void {
  if (wanted !== actual) throw mismatch(served, name, 'ResourceVersion', wanted, actual);
}

function mismatch(served: ServedVersion, name: string, what: string, wanted: string, actual: string): Error {
  return conflict(errorTarget(served, name), `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`);
}
