import {
  inject,
  injectable,
  invalidObject,
  StatusError,
  Tokens,
  type AccessReviewer,
  type ApiObject,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type UserInfo,
} from '../../../sdk/index.js';
import {accessQuestion, type AccessQuestion} from './access-attributes.js';
import type {AccessReview} from './review-types.js';

/** Answers access reviews; injected into their handlers. */
@injectable()
export class AccessAnswer {
  readonly #access: AccessReviewer;
  readonly #group: string;
  readonly #withSelectors: boolean;

  constructor(
    @inject(Tokens.Access) access: AccessReviewer,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#access = access;
    this.#group = naming.group('authorization.orch');
    this.#withSelectors = gates.enabled('AuthorizeWithSelectors');
  }

  /** @throws 422 with all errors, if a review has any; as in Kubernetes it does not say of which kind */
  requireValid(faults: readonly FieldError[]): void {
    if (faults.length > 0) throw invalidObject({group: this.#group, kind: ''}, '', faults);
  }

  /** The review without the selectors that are not looked at while the gate AuthorizeWithSelectors is off. */
  known<T extends AccessReview>(review: T): T {
    if (this.#withSelectors || !review.spec?.resourceAttributes) return review;
    const {fieldSelector: _fields, labelSelector: _labels, ...resourceAttributes} = review.spec.resourceAttributes;
    return {...review, spec: {...review.spec, resourceAttributes}};
  }

  /** The review with its answer. If the authorizers cannot decide, the answer says so and access is denied. */
  async to(review: AccessReview, user: UserInfo): Promise<ApiObject> {
    return {...review, status: await this.#decision(accessQuestion(user, review.spec ?? {}, this.#access))};
  }

  async #decision({attributes, ignored}: AccessQuestion): Promise<object> {
    try {
      const {decision, reason, error} = await this.#access.authorize(attributes);
      const errors = [...(error ? [error] : []), ...ignored].join('; ');
      return {
        allowed: decision === 'allow',
        ...(decision === 'deny' ? {denied: true} : {}),
        ...(reason ? {reason} : {}),
        ...(errors ? {evaluationError: errors} : {}),
      };
    } catch (error) {
      if (!StatusError.is(error)) throw error;
      return {allowed: false, evaluationError: error.message};
    }
  }
}
