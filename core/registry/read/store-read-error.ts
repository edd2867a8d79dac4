import {groupResourceText, StatusError, type StatusCause} from '../../../sdk/index.js';
import {StorageError, type UnreadableObject} from '../../storage/storage-error.js';
import type {ServedVersion} from '../served-version.js';

/** Causes that an error lists. */
const listedCauses = 100;

/**
 * With the feature gate `AllowUnsafeMalformedObjectDeletion`, a list that fails because of objects that cannot be read names them, so that an administrator can have them
 * deleted. Other errors are returned unchanged.
 */
export function storeReadError(error: unknown, {type, isEnabled}: ServedVersion): unknown {
  if (!(error instanceof StorageError) || error.failure.code !== 'Unreadable' || !isEnabled('AllowUnsafeMalformedObjectDeletion'))
    return error;
  const {failure} = error;
  const all = [failure, ...(failure.others ?? [])];
  const causes: StatusCause[] = all.slice(0, listedCauses).map(causeOf);
  if (all.length > listedCauses) causes.push({reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated'});
  const {group, plural} = type;
  return new StatusError(
    500,
    'StoreReadError',
    `failed to read one or more ${groupResourceText({group, resource: plural})} from the storage`,
    {
      details: {name: 'list', ...(group ? {group} : {}), kind: plural, causes},
      cause: error,
    },
  );
}

function causeOf({name, reason}: UnreadableObject): StatusCause {
  return {
    reason: 'UnexpectedServerResponse',
    field: name,
    message: `corrupt object: data from the storage is not transformable: ${reason}`,
  };
}
