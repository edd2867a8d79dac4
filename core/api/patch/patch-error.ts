import {badRequest, StatusError} from '../../../sdk/index.js';

/** 400: the body is not a valid patch of its kind. */
export function malformedPatch(problem: string): StatusError {
  return badRequest(`error decoding patch: ${problem}`);
}

/**
 * 422: a well-formed patch that cannot be applied to the current object (a failed `test`, a path that does not exist). Code, reason and
 * first words are those of Kubernetes.
 */
export function patchNotApplicable(problem: string): StatusError {
  return new StatusError(422, 'Invalid', `the server rejected our request due to an error in our request: ${problem}`, {
    details: {causes: [{reason: 'UnexpectedServerResponse', message: problem}]},
  });
}
