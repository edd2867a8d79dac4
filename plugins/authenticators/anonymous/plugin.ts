import {randomUUID} from 'node:crypto';
import {authenticator, inject, Tokens, type AccessReviewer, type Authenticator, type UserInfo} from '../../../sdk/index.js';

const anonymous: UserInfo = Object.freeze({username: 'system:anonymous', groups: Object.freeze(['system:unauthenticated'])});

/**
 * Authenticates requests without credentials as user `system:anonymous` in the group `system:unauthenticated`
 * (docs/semantics/access.md#anonymous-requests); authorization decides what that user may do. `--anonymous-auth` enables or disables it. By
 * default it is on unless authorization allows everything to everybody.
 */
@authenticator({order: 1000, fallback: true})
export class Anonymous implements Authenticator {
  #enabled: boolean | undefined;
  readonly #access: AccessReviewer;

  constructor(@inject(Tokens.Config) config: Readonly<Record<string, unknown>>, @inject(Tokens.Access) access: AccessReviewer) {
    this.#access = access;
    this.#enabled = config['anonymousAuth'] as boolean | undefined;
  }

  authenticate(): UserInfo | undefined | Promise<UserInfo | undefined> {
    if (this.#enabled === undefined) return this.#settle();
    return this.#enabled ? anonymous : undefined;
  }

  /** An authorizer that allows everything to an unknown user allows everything to everybody. */
  async #settle(): Promise<UserInfo | undefined> {
    const stranger = {username: `system:stranger:${randomUUID()}`, groups: []};
    const {decision} = await this.#access.authorize({
      user: stranger,
      verb: '*',
      isResourceRequest: true,
      path: '',
      group: '*',
      version: '*',
      resource: '*',
      subresource: '',
      namespace: '',
      name: '',
    });
    this.#enabled = decision !== 'allow';
    return this.authenticate() as UserInfo | undefined;
  }
}
