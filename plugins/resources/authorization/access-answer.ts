import {
  invalidObject,
  StatusError,
  type AccessReviewer,
  type ApiObject,
  type AuthorizationAttributes,
  type FieldError,
  type NamingProfile,
} from '../../../sdk/index.js';
import type {AccessReview} from './review-types.js';

/** A review with its answer. That the authorizers cannot tell is part of the answer; access is not allowed then. */
export async function answered(review: AccessReview, attributes: AuthorizationAttributes, access: AccessReviewer): Promise<ApiObject> {
  return {...review, status: await decisionOf(attributes, access)};
}

async function decisionOf(attributes: AuthorizationAttributes, access: AccessReviewer): Promise<object> {
  try {
    const {decision, reason} = await access.authorize(attributes);
    return {allowed: decision === 'allow', ...(decision === 'deny' ? {denied: true} : {}), ...(reason ? {reason} : {})};
  } catch (error) {
    if (!StatusError.is(error)) throw error;
    return {allowed: false, evaluationError: error.message};
  }
}

/** @throws 422 with all faults where there are some */
export function requireValid(kind: string, faults: readonly FieldError[], naming: NamingProfile): void {
  if (faults.length > 0) throw invalidObject({group: naming.group('authorization.orch'), kind}, '', faults);
}
