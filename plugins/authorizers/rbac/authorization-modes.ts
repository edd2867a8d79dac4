import {
  authorizer,
  inject,
  Tokens,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type Logger,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {DefaultPolicy} from './defaults/default-policy.js';
import {RbacAuthorizer} from './rbac-authorizer.js';

const allow: AuthorizationDecision = Object.freeze({decision: 'allow'});
const noOpinion: AuthorizationDecision = Object.freeze({decision: 'no-opinion'});
const nothing: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: 'Everything is forbidden.'});

type Mode = (attributes: AuthorizationAttributes) => AuthorizationDecision;

/**
 * The authorizers that `--authorization-mode` names, in its order; the first that allows decides. `RBAC` goes by roles and
 * bindings, which it completes by the default ones at start; `AlwaysAllow` and `AlwaysDeny` say what they do.
 */
@authorizer({order: 500})
export class AuthorizationModes implements Authorizer {
  readonly #modes: readonly Mode[];
  readonly #rbac: RbacAuthorizer | undefined;

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Resources) private readonly resources: ResourceClient,
    @inject(Tokens.Naming) private readonly naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    const names = config['authorizationMode'] as readonly string[];
    this.#rbac = names.includes('RBAC') ? new RbacAuthorizer(resources, logger, naming) : undefined;
    this.#modes = names.map((name) => {
      if (name === 'RBAC') return (attributes) => this.#rbac!.authorize(attributes);
      return name === 'AlwaysAllow' ? () => allow : () => nothing;
    });
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    let reasons: string[] | undefined;
    for (const mode of this.#modes) {
      const answer = mode(attributes);
      if (answer.decision !== 'no-opinion') return answer;
      if (answer.reason) (reasons ??= []).push(answer.reason);
    }
    return reasons ? {decision: 'no-opinion', reason: reasons.join(', ')} : noOpinion;
  }

  async start(signal: AbortSignal): Promise<void> {
    if (!this.#rbac) return;
    await new DefaultPolicy(this.resources, this.naming).ensure();
    await this.#rbac.start(signal);
  }

  async stop(): Promise<void> {
    await this.#rbac?.stop();
  }
}
