import {
  StatusError,
  unauthorized,
  type AuthenticatedUser,
  type AuthenticationRequest,
  type Logger,
  type TokenIdentity,
  type UserInfo,
} from '../../../sdk/index.js';
import type {Exchange} from '../request/exchange.js';
import {isPublicPath} from './anonymous.js';
import {LimitLog} from '../limits/limit-log.js';
import {BoundedAuthenticator} from './bounded-authenticator.js';
import {IncomingCredentials} from './incoming-credentials.js';
import type {OrderedAuthenticator} from './ordered-authenticator.js';

const authenticatedGroup = 'system:authenticated';

/** Asks the authenticators in order until one recognises the caller. Every authenticated user is in `system:authenticated`. */
export class Authentication {
  readonly #authenticators: readonly BoundedAuthenticator[];
  readonly #fallbacks: readonly BoundedAuthenticator[];
  readonly #fallbackAuthenticators: readonly OrderedAuthenticator[];
  readonly #serverAudiences: readonly string[];
  /** An authenticator's user with the group added, cached as long as the authenticator caches its own. */
  readonly #completed = new WeakMap<UserInfo, UserInfo>();
  readonly #logger: Logger;
  readonly #limits: LimitLog;

  readonly #protocolPrefix: string;

  /**
   * @param authenticators in their order, as the kernel delivers them
   * @param limit how many requests may wait for the answer of one authenticator
   * @param protocolPrefix what subprotocols of WebSocket requests begin with that carry a token
   */
  constructor(authenticators: readonly OrderedAuthenticator[], limit: number, protocolPrefix: string, logger: Logger) {
    this.#logger = logger;
    this.#protocolPrefix = protocolPrefix;
    const log = new LimitLog(logger);
    this.#limits = log;
    const bounded = (chosen: readonly OrderedAuthenticator[]) =>
      chosen.map((authenticator) => new BoundedAuthenticator(authenticator, limit, log));
    this.#authenticators = bounded(authenticators.filter(({options}) => !options?.fallback));
    this.#fallbackAuthenticators = authenticators.filter(({options}) => options?.fallback);
    this.#fallbacks = bounded(this.#fallbackAuthenticators);
    this.#serverAudiences = [...new Set(authenticators.flatMap(({instance}) => instance.serverAudiences ?? []))];
  }

  /** The audiences that identify this server in tokens. */
  get serverAudiences(): readonly string[] {
    return this.#serverAudiences;
  }

  /** Whether everybody may ask for this path without credentials. */
  isPublic(path: string): boolean {
    return isPublicPath(path) && !this.#fallbackAuthenticators.some(({instance}) => instance.isExclusive === true);
  }

  /** How often its limits have acted, by name. */
  get limitsActed(): ReadonlyMap<string, number> {
    return this.#limits.totals();
  }

  /**
   * The caller, or undefined if the request has no credentials and anonymous callers are not allowed. @throws 401 for credentials that
   * nobody accepts, 429 if too many requests wait for an authenticator
   */
  identify(exchange: Exchange): UserInfo | undefined | Promise<UserInfo | undefined> {
    const request = new IncomingCredentials(exchange, this.#serverAudiences, this.#protocolPrefix);
    const found = this.#identifyRequest(request);
    if (found instanceof Promise) return found.then((user) => user ?? this.#withoutCredentials(request));
    return found ?? this.#withoutCredentials(request);
  }

  #withoutCredentials(request: AuthenticationRequest): UserInfo | undefined | Promise<UserInfo | undefined> {
    if (request.header('authorization').some(isBearer)) throw unauthorized();
    return this.#firstFallback(request);
  }

  async #firstFallback(request: AuthenticationRequest): Promise<UserInfo | undefined> {
    for (const authenticator of this.#fallbacks) {
      const user = await authenticator.ask(request);
      if (user) return user;
    }
    return undefined;
  }

  /** Like `identify`, for a review: also returns which of the request's audiences the credentials are for. */
  async review(request: AuthenticationRequest): Promise<TokenIdentity | undefined> {
    const wanted = new Set(request.audiences);
    const forServer = this.#serverAudiences.filter((audience) => wanted.has(audience));
    let refused: unknown;
    for (const authenticator of this.#authenticators) {
      try {
        const user = await authenticator.ask(request);
        if (!user) continue;
        const audiences = user.audiences ?? forServer;
        if (audiences.length > 0 || wanted.size === 0) return {user: this.#complete(user), audiences};
      } catch (error) {
        refused = this.#refusal(authenticator, error, refused);
      }
    }
    if (refused !== undefined) throw refused;
    return undefined;
  }

  /** The user of a request's credentials; undefined if no authenticator recognises any. @throws 401 if an authenticator rejects them */
  #identifyRequest(request: AuthenticationRequest): UserInfo | undefined | Promise<UserInfo | undefined> {
    let refused: unknown;
    for (let position = 0; position < this.#authenticators.length; position += 1) {
      const authenticator = this.#authenticators[position]!;
      try {
        const answer = authenticator.ask(request);
        if (answer instanceof Promise) return this.#continue(request, answer, position, refused);
        if (answer) return this.#complete(answer);
      } catch (error) {
        refused = this.#refusal(authenticator, error, refused);
      }
    }
    if (refused !== undefined) throw refused;
    return undefined;
  }

  async #continue(
    request: AuthenticationRequest,
    pending: Promise<AuthenticatedUser | undefined>,
    position: number,
    refused: unknown,
  ): Promise<UserInfo | undefined> {
    let failure = refused;
    for (let index = position; index < this.#authenticators.length; index += 1) {
      const authenticator = this.#authenticators[index]!;
      try {
        const answer = await (index === position ? pending : authenticator.ask(request));
        if (answer) return this.#complete(answer);
      } catch (error) {
        failure = this.#refusal(authenticator, error, failure);
      }
    }
    if (failure !== undefined) throw failure;
    return undefined;
  }

  /** The error for the caller: the first rejection, unless another error asks it to retry. */
  #refusal({name}: BoundedAuthenticator, error: unknown, earlier: unknown): unknown {
    if (!StatusError.is(error)) {
      this.#logger.error({authenticator: name, err: error}, 'an authenticator failed');
      return earlier ?? unauthorized(undefined, {cause: error});
    }
    this.#logger.debug({authenticator: name, err: error}, 'credentials refused');
    if (earlier === undefined || error.code === 429) return error;
    return earlier;
  }

  #complete(user: AuthenticatedUser): UserInfo {
    if (!user.audiences && user.groups.includes(authenticatedGroup)) return user;
    let complete = this.#completed.get(user);
    if (!complete) {
      const {audiences: _audiences, ...identity} = user;
      complete = {...identity, groups: [...new Set([...user.groups, authenticatedGroup])]};
      this.#completed.set(user, complete);
    }
    return complete;
  }
}

function isBearer(value: string): boolean {
  return /^bearer +\S/i.test(value);
}
