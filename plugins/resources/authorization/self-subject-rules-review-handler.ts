import {
  badRequest,
  inject,
  Tokens,
  virtualResource,
  type AccessReviewer,
  type ApiObject,
  type VirtualRequest,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {SelfSubjectRulesReview} from '../../../sdk/types/unchecked/authorization/v1.js';
import {rulesStatus} from './rules-status.js';

/** SelfSubjectRulesReview: what the caller may do in a namespace, according to the authorizers' rules. */
@virtualResource()
export class SelfSubjectRulesReviewHandler implements VirtualResource {
  readonly #access: AccessReviewer;

  constructor(@inject(Tokens.Access) access: AccessReviewer) {
    this.#access = access;
  }

  async create(review: SelfSubjectRulesReview, {user}: VirtualRequest): Promise<ApiObject> {
    const namespace = review.spec?.namespace;
    if (!namespace) throw badRequest('no namespace on request');
    return {...review, status: rulesStatus(await this.#access.rulesFor(user, namespace))};
  }
}
