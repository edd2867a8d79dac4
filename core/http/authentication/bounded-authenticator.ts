import {tooManyRequests, type AuthenticatedUser, type AuthenticationRequest} from '../../../sdk/index.js';
import type {LimitLog} from '../limits/limit-log.js';
import type {OrderedAuthenticator} from './ordered-authenticator.js';

/** An authenticator that is not asked further while it owes too many answers: one that is slow holds up nobody else, and what waits for it has a bound. */
export class BoundedAuthenticator {
  readonly name: string;
  #pending = 0;
  readonly #authenticator: OrderedAuthenticator;
  readonly #limit: number;
  readonly #log: LimitLog;

  /**
   * @param limit answers that it may owe
   * @param log told when a request is refused
   */
  constructor(authenticator: OrderedAuthenticator, limit: number, log: LimitLog) {
    this.#authenticator = authenticator;
    this.#limit = limit;
    this.#log = log;
    this.name = authenticator.name;
  }

  /** As `Authenticator.authenticate`. @throws 429 when it owes too many answers */
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
