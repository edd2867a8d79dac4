import {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  internalError,
  notFound,
  pathNotFound,
  serviceUnavailable,
  StatusError,
  StoreError,
  timeout,
  WebhookError,
  type ErrorTarget,
  type Status,
} from '../../sdk/index.js';
import {StorageError} from '../storage/storage-error.js';

/** The response to a conditional write if the object has changed in the meantime. */
export const modifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/**
 * Stores and storage use keys, revisions and codes; clients use resources and reasons. Only this function translates between them, and unhandled
 * errors of webhook calls. Other errors pass unchanged.
 */
export function toStatusError(error: unknown, target: ErrorTarget): unknown {
  if (error instanceof StorageError) return storageStatus(error);
  if (WebhookError.is(error)) return webhookStatus(error);
  return StoreError.is(error) ? storeStatus(error, target) : error;
}

/** The Status in the last event of a watch that ends with an error. */
export function toWatchStatus(error: unknown): Status {
  const isBroken = StoreError.is(error) && (error.code === 'Compacted' || error.code === 'EpochChanged');
  const known = isBroken
    ? expired('The resourceVersion for the provided request is too old.', {cause: error})
    : toStatusError(error, {group: '', resource: ''});
  const status = StatusError.is(known) ? known : internalError('the events of this watch could not be encoded', {cause: error});
  return status.toStatus();
}

/**
 * 500, as Kubernetes answers when a webhook cannot be called. The message of such an error is made for callers.
 *
 * @param place what made the call
 */
export function webhookStatus(error: WebhookError, place?: string): StatusError {
  return internalError(`${place === undefined ? '' : `${place}: `}failed calling webhook: ${error.message}`, {cause: error});
}

function storeStatus(error: StoreError, target: ErrorTarget): StatusError {
  // Clients retry every response with `Retry-After`, even creates: a write that may have taken effect is never answered so.
  if (error.indeterminate) return timeout(`whether the change took effect is not known; read the object to find out: ${error.message}`);
  switch (error.code) {
    case 'Exists':
      return alreadyExists(target);
    case 'Missing':
      return notFound(target);
    case 'Mismatch':
      return conflict(target, modifiedMessage);
    case 'Fenced':
      return serviceUnavailable('nothing was written: another server acts in place of this one now', 1, {cause: error});
    case 'Compacted':
    case 'EpochChanged':
      // The client may have named no version at all. Versions that are too old are found by storage.
      return serviceUnavailable('the history of the store was cut or replaced meanwhile', 1, {cause: error});
    case 'Unavailable':
      return serviceUnavailable(`the store cannot be used now: ${error.message}`, 1, {cause: error});
    case 'Closed':
      return serviceUnavailable('the server is shutting down', 1, {cause: error});
    case 'Corrupt':
      return internalError('the store holds a record that cannot be read', {cause: error});
  }
}

/** The codes about history and versions; see docs/semantics/versions.md#versions-that-are-too-old. */
function storageStatus({failure, cause}: StorageError): StatusError {
  switch (failure.code) {
    case 'FutureRevision':
      return timeout(`Too large resource version: ${failure.requested}, current: ${failure.current}`, 1, [
        {reason: 'ResourceVersionTooLarge', message: 'Too large resource version'},
      ]);
    case 'ListTooOld':
      return expired(`The provided resource version is too old to list: ${failure.requested} (oldest available: ${failure.oldest})`);
    case 'WatchTooOld':
      return expired(`too old resource version: ${failure.requested} (${failure.oldest})`);
    case 'WatchTooSlow':
      return expired('the watch was ended because its client did not read events as fast as they came; list again and watch from there');
    case 'HistoryLost':
      return expired('the history of this resource was lost; list again and watch from there');
    case 'InvalidContinue':
      return badRequest(`invalid continue token: continue key is not valid: ${failure.problem}`, {cause});
    case 'ExpiredContinue':
      return new ContinueExpiredError(failure.continueToken);
    case 'NotServed':
      return pathNotFound();
    case 'Unreadable':
      return internalError(`unable to transform key ${JSON.stringify(failure.name)}: ${failure.reason}`, {cause});
  }
}

/**
 * The Status carries a token that continues with the current state (`metadata.continue`), for clients that prefer an inconsistent list to a
 * new one.
 */
class ContinueExpiredError extends StatusError {
  constructor(readonly continueToken: string) {
    super(
      410,
      'Expired',
      'The provided continue parameter is too old to display a consistent list result. Start a new list without the continue ' +
        'parameter, or use the continue token of this response to get the rest of the items. That list is not consistent: ' +
        'objects that were created, changed or deleted since the first chunk may be shown, missing or shown twice.',
    );
  }

  override toStatus(): Status {
    return {...super.toStatus(), metadata: {continue: this.continueToken}};
  }
}
