import {badRequest, inject, virtualResource, type ApiObject, type VirtualRequest, type VirtualResource} from '../../../sdk/index.js';
import type {SubjectAccessReviewSpec} from '../../../sdk/types/unchecked/authorization/v1.js';
import {AccessAnswer} from './access-answer.js';
import {reviewedUser} from './access-attributes.js';
import {localReviewFaults} from './review-faults.js';
import type {AccessReview} from './review-types.js';

/** LocalSubjectAccessReview: whether a user may perform an action in one namespace. */
@virtualResource()
export class LocalSubjectAccessReviewHandler implements VirtualResource {
  readonly #answer: AccessAnswer;

  constructor(@inject(AccessAnswer) answer: AccessAnswer) {
    this.#answer = answer;
  }

  create(object: AccessReview<SubjectAccessReviewSpec>, {namespace}: VirtualRequest): Promise<ApiObject> {
    const review = this.#answer.known(object);
    if ((review.metadata.namespace || namespace) !== namespace) {
      throw badRequest(`the namespace of the review (${review.metadata.namespace}) does not match the namespace on the URL (${namespace})`);
    }
    this.#answer.requireValid(localReviewFaults(review, namespace));
    return this.#answer.to({...review, metadata: {...review.metadata, namespace}}, reviewedUser(review.spec ?? {}));
  }
}
