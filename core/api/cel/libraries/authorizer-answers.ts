import {
  ExpressionPending,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type ExpressionAuthorizer,
  type UserInfo,
} from '../../../../sdk/index.js';
import {meter} from '../cost-meter.js';

/** What a check came to; an error if the authorizers could not say. */
export interface Answer extends Partial<AuthorizationDecision> {
  readonly error?: string;
}

/** What a check of a resource is about. */
export interface CheckedPlace extends Omit<
  AuthorizationAttributes,
  'user' | 'verb' | 'isResourceRequest' | 'path' | 'fieldSelector' | 'labelSelector'
> {
  /** As in a query. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

const nowhere: CheckedPlace = {group: '', version: '', resource: '', subresource: '', namespace: '', name: ''};
const known = new WeakMap<ExpressionAuthorizer, AuthorizerAnswers>();

/** The questions of one request, each asked once. */
export class AuthorizerAnswers {
  readonly #authorizer: ExpressionAuthorizer;
  readonly #answers = new Map<string, Answer>();

  private constructor(authorizer: ExpressionAuthorizer) {
    this.#authorizer = authorizer;
  }

  static of(authorizer: ExpressionAuthorizer): AuthorizerAnswers {
    let answers = known.get(authorizer);
    if (!answers) known.set(authorizer, (answers = new AuthorizerAnswers(authorizer)));
    return answers;
  }

  /** The answer; ends the evaluation if it has to be waited for. */
  toPath(user: UserInfo, verb: string, path: string): Answer {
    return this.#to({...(nowhere as AuthorizationAttributes), user, verb, isResourceRequest: false, path});
  }

  toResource(user: UserInfo, verb: string, {fieldSelector = '', labelSelector = '', ...place}: CheckedPlace): Answer {
    const hasSelectors = fieldSelector !== '' || labelSelector !== '';
    const {unreadable: _, ...selectors} = hasSelectors ? this.#authorizer.readSelectors(fieldSelector, labelSelector) : {unreadable: []};
    return this.#to({...place, ...selectors, user, verb, isResourceRequest: true, path: ''});
  }

  #to(attributes: AuthorizationAttributes): Answer {
    const key = JSON.stringify(attributes);
    return this.#answers.get(key) ?? meter.suspend(new ExpressionPending(() => this.#ask(key, attributes)));
  }

  async #ask(key: string, attributes: AuthorizationAttributes): Promise<void> {
    try {
      this.#answers.set(key, await this.#authorizer.authorize(attributes));
    } catch (error) {
      this.#answers.set(key, {error: (error as Error).message});
    }
  }
}
