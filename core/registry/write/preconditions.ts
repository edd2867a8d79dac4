import {conflict} from '../../../sdk/index.js';
import {errorTarget, type ServedVersion} from '../served-version.js';

/** @throws 409 if the object is not the one with the given uid, or does not exist */
export function checkUid(served: ServedVersion, name: string, wanted: string, actual = ''): void {
  if (wanted === actual) return;
  throw conflict(errorTarget(served, name), `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`);
}

/** As `checkUid`, for a deletion and its words, and also of the version. @throws 409 */
export function checkDeletion(
  {type, version}: ServedVersion,
  name: string,
  wanted: {readonly uid?: string; readonly resourceVersion?: string},
  actual: {readonly uid?: string; readonly resourceVersion?: string},
): void {
  const fail = (problem: string) => conflict({group: type.group, resource: version.kind.kind, name}, problem);
  if (wanted.uid !== undefined && wanted.uid !== actual.uid)
    throw fail(
      `the UID in the precondition (${wanted.uid}) does not match the UID in record (${actual.uid}). The object might have been deleted and then recreated`,
    );
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== actual.resourceVersion)
    throw fail(
      `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${actual.resourceVersion}). The object might have been modified`,
    );
}
