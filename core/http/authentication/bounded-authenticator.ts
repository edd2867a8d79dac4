import {tooManyRequests, type AuthenticatedUser, type AuthenticationRequest} from '../../../sdk/index.js';
import type {LimitLog} from '../limits/limit-log.js';
import type {OrderedAuthenticator} from './ordered-authenticator.js';

/** An authenticator with a limit on concurrent calls: a slow one does not delay others, and the number of waiting requests is limited. */
export class BoundedAuthenticator {
  readonly name: string;
  #pending = 0;
  readonly #authenticator: OrderedAuthenticator;
  readonly #limit: number;
  readonly #log: LimitLog;

  /**
   * @param limit maximum concurrent calls
   * @param log called when a request is refused
   */
  constructor(authenticator: OrderedAuthenticator, limit: number, log: LimitLog) {
    this.#authenticator = authenticator;
    this.#limit = limit;
    this.#log = log;
    this.name = authenticator.name;
  }

  /** As `Authenticator.authenticate`. @throws 429 if too many calls are in progress */
  ask(request: AuthenticationRequest): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined> {
    if (this.#pending >= this.#limit) {
      this.#log.acted('maxAuthenticationsInflight', 'a request was refused', {authenticator: this.name});
      throw tooManyRequests('too many authentications are under way, please try again later', 1);
    }
    const answer = this.#authenticator.instance.authenticate(request);
    return answer instanceof Promise ? this.#counted(answer) : answer;
  }

  async #counted(answer: Promise<AuthenticatedUser | undefined>): Promise<AuthenticatedUser | undefined> {
    this.#pending += 1;
    try {
      return await answer;
    } finally {
      this.#pending -= 1;
    }
  }
}
