import {expired, StatusError, timeout, type Status} from '../../sdk/index.js';

/** 504: a version that the server has not seen within the time that it waits (specification, "Resource-version semantics"). */
export function tooLargeResourceVersion(requested: number, current: number): StatusError {
  return timeout(`Too large resource version: ${requested}, current: ${current}`, 1, [
    {reason: 'ResourceVersionTooLarge', message: 'Too large resource version'},
  ]);
}

/** 410 for a list at an exact version. */
export function listTooOld(requested: number, oldest: number): StatusError {
  return expired(`The provided resource version is too old to list: ${requested} (oldest available: ${oldest})`);
}

/** 410 for a watch; also the error event of a watch that can go on no further. */
export function watchTooOld(requested: number, oldest: number): StatusError {
  return expired(`too old resource version: ${requested} (${oldest})`);
}

/** The end of a watch whose client takes events slower than they come. */
export function watchTooSlow(): StatusError {
  return expired('the watch was ended because its client did not read events as fast as they came; list again and watch from there');
}

/** The end of all watches of a type whose history was lost or replaced. */
export function watchHistoryLost(): StatusError {
  return expired('the history of this resource was lost; list again and watch from there');
}

/**
 * 410 for a continue token whose version is no longer available. The status carries a token that goes on with the rest of
 * the collection as it is now (`metadata.continue`), for clients that prefer an inconsistent list to a new one.
 */
export class ContinueExpiredError extends StatusError {
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
