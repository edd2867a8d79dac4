import {
  badRequest,
  inject,
  Tokens,
  virtualResource,
  type AccessReviewer,
  type ApiObject,
  type ResourceClient,
  type VirtualRequest,
  type VirtualResource,
} from '../../../sdk/index.js';
import {findRules} from './rule-finder.js';

interface SelfSubjectRulesReview extends ApiObject {
  spec?: {namespace?: string};
}

/** SelfSubjectRulesReview: what the caller may do in a namespace. */
@virtualResource()
export class SelfSubjectRulesReviewHandler implements VirtualResource {
  constructor(
    @inject(Tokens.Access) private readonly access: AccessReviewer,
    @inject(Tokens.Resources) private readonly resources: ResourceClient,
  ) {}

  async create(review: SelfSubjectRulesReview, {user}: VirtualRequest): Promise<ApiObject> {
    const namespace = review.spec?.namespace;
    if (!namespace) throw badRequest('no namespace on request');
    const rules = await findRules(this.access, user, namespace, this.resources.resources());
    const evaluationError = 'rights to single objects and to resources that are not served now are not listed';
    return {...review, status: {...rules, ...(rules.incomplete ? {evaluationError} : {})}};
  }
}
