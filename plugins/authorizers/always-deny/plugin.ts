import {authorizer, type AuthorizationDecision, type Authorizer, type UserRules} from '../../../sdk/index.js';
import {noRule} from '../../families/authorization/answers.js';

const nothing: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: 'Everything is forbidden.'});

/** Allows nothing: who else is asked decides, and where nobody is, everything is forbidden. */
@authorizer()
export class AlwaysDeny implements Authorizer {
  authorize(): AuthorizationDecision {
    return nothing;
  }

  rulesFor(): UserRules {
    return noRule;
  }
}
