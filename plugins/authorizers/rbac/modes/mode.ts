import type {AuthorizationAttributes, AuthorizationDecision, UserInfo, UserRules} from '../../../../sdk/index.js';

/** One of the authorizers named by `--authorization-mode`. */
export interface Mode {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision>;
  rulesFor(user: UserInfo, namespace: string): UserRules;
  /** Resolves when it can decide. Rejects with a one-sentence message if it never can. */
  start?(signal: AbortSignal): Promise<void>;
  /** Makes again the objects that `start` sees to, after the store has lost them. */
  bootstrap?(): Promise<void>;
  stop?(): Promise<void>;
}

export const allow: AuthorizationDecision = Object.freeze({decision: 'allow'});
export const noOpinion: AuthorizationDecision = Object.freeze({decision: 'no-opinion'});

/** The rules of an authorizer that cannot list what it allows. */
export function untellable(name: string): UserRules {
  return Object.freeze({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    error: `${name} authorizer does not support user rule resolution`,
  });
}
