import {
  alreadyExists,
  conflict,
  expired,
  internalError,
  notFound,
  serviceUnavailable,
  StoreError,
  type ErrorTarget,
  type StatusError,
} from '../../sdk/index.js';

/** What a conditional write answers when the object has changed in between. */
export const modifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/** Stores speak keys and codes, clients speak resources and reasons; they meet only here. Other errors pass unchanged. */
export function toStatusError(error: unknown, target: ErrorTarget): unknown {
  if (!StoreError.is(error)) return error;
  switch (error.code) {
    case 'Exists':
      return alreadyExists(target);
    case 'Missing':
      return notFound(target);
    case 'Mismatch':
      return conflict(target, modifiedMessage);
    case 'Compacted':
    case 'EpochChanged':
      return expired('The resourceVersion for the provided request is too old.', {cause: error});
    case 'Unavailable':
      return unavailable(error);
    case 'Closed':
      return serviceUnavailable('the server is shutting down', 1, {cause: error});
    case 'Corrupt':
      return internalError('the store holds a record that cannot be read', {cause: error});
  }
}

function unavailable(error: StoreError): StatusError {
  const outcome = error.indeterminate ? '; whether the change took effect is not known' : '';
  return serviceUnavailable(`the store cannot be reached now${outcome}: ${error.message}`, 1, {cause: error});
}
