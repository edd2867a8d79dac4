import {
  authorizer,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type UserInfo,
  type UserRules,
} from '../../../sdk/index.js';
import {allow, everyRule, isMaster, noOpinion, noRule} from '../../families/authorization/answers.js';

/**
 * Allows everything to members of `system:masters`, before any other authorizer is asked, so that nobody can lock out the holder of the
 * administrator's certificate. It has no opinion about other users.
 */
@authorizer({order: 0})
export class Masters implements Authorizer {
  authorize({user}: AuthorizationAttributes): AuthorizationDecision {
    return isMaster(user) ? allow : noOpinion;
  }

  rulesFor(user: UserInfo): UserRules {
    return isMaster(user) ? everyRule : noRule;
  }
}
