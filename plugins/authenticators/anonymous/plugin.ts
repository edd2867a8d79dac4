import {randomUUID} from 'node:crypto';
import {authenticator, inject, Tokens, type AccessReviewer, type Authenticator, type UserInfo} from '../../../sdk/index.js';

const anonymous: UserInfo = Object.freeze({username: 'system:anonymous', groups: Object.freeze(['system:unauthenticated'])});

/**
 * Lets in requests without credentials, as user `system:anonymous` in the group `system:unauthenticated` (docs/semantics/access.md#anonymous-requests): what such a user may do is for authorization to say. `--anonymous-auth` turns it on or off;
 * by default it is on unless authorization allows everything to everybody.
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

  /** Whoever allows everything to a user that nobody has heard of allows everything to everybody. */
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
