import type {AuthorizationAttributes, AuthorizationDecision, UserInfo, UserRules} from '../../../../sdk/index.js';

/** One of the authorizers that `--authorization-mode` names. */
export interface Mode {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision>;
  rulesFor(user: UserInfo, namespace: string): UserRules;
  /** Resolves when it can decide. Rejects in one sentence when it never can. */
  start?(signal: AbortSignal): Promise<void>;
  stop?(): Promise<void>;
}

export const allow: AuthorizationDecision = Object.freeze({decision: 'allow'});
export const noOpinion: AuthorizationDecision = Object.freeze({decision: 'no-opinion'});

/** Rules of an authorizer that cannot tell what it allows. */
export function untellable(name: string): UserRules {
  return Object.freeze({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    error: `${name} authorizer does not support user rule resolution`,
  });
}
