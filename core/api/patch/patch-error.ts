import {badRequest, StatusError} from '../../../sdk/index.js';

/** 400: the body is not a valid patch of its kind. */
export function malformedPatch(problem: string): StatusError {
  return badRequest(`error decoding patch: ${problem}`);
}

/**
 * 422: a well-formed patch that cannot be applied to the current object (a failed `test`, a path that does not exist), as Kubernetes says it.
 * What is wrong is the `cause`, for callers within the server.
 */
export function patchNotApplicable(problem: string): StatusError {
  return new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
    cause: new Error(problem),
  });
}

/** What is wrong with a patch that could not be applied. */
export function patchProblem({cause, message}: StatusError): string {
  return cause instanceof Error ? cause.message : message;
}
