import {authorizer, type AuthorizationDecision, type Authorizer, type UserRules} from '../../../sdk/index.js';
import {allow, everyRule} from '../../families/authorization/answers.js';

/** Allows everything to everybody. */
@authorizer()
export class AlwaysAllow implements Authorizer {
  authorize(): AuthorizationDecision {
    return allow;
  }

  rulesFor(): UserRules {
    return everyRule;
  }
}
