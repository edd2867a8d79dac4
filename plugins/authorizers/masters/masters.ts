import {authorizer, type AuthorizationAttributes, type AuthorizationDecision, type Authorizer} from '../../../sdk/index.js';

const allow: AuthorizationDecision = Object.freeze({decision: 'allow'});
const noOpinion: AuthorizationDecision = Object.freeze({decision: 'no-opinion'});

/**
 * Allows everything to the members of `system:masters`, before any other authorizer is asked: nobody can lock out the
 * holder of the administrator's certificate. About all others it says nothing.
 */
@authorizer({order: 0})
export class Masters implements Authorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    return attributes.user.groups.includes('system:masters') ? allow : noOpinion;
  }
}
