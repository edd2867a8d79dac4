import {setTimeout as pause} from 'node:timers/promises';
import type {AuthorizationAttributes, AuthorizationDecision, Logger, UserInfo} from '../../sdk/index.js';
import {refusal} from '../http/authorization/authorization.js';
import type {LocalAccess} from '../registry/local/local-access.js';

/** Milliseconds that a starting controller waits for its roles: another server may only just have created them. */
const patienceMillis = 3000;
const pauseMillis = 50;
const maximumPauseMillis = 500;
/** Refusals that are remembered, so that each is logged once. */
const maximumLogged = 1000;
/** Late answers that are remembered, one for a verb of a type. */
const maximumLate = 1000;

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Whose access it is, and where more can be asked for. */
export interface AccessHolder {
  readonly kind: 'controller' | 'plugin';
  readonly name: string;
}

export interface ControllerAccessOptions {
  readonly holder: AccessHolder;
  /** Decides as for requests. */
  readonly decide: (attributes: AuthorizationAttributes) => AuthorizationDecision | Promise<AuthorizationDecision>;
  /** The user of the informers that all controllers share: a controller may read what this user may list. */
  readonly informers: UserInfo | undefined;
  /** Whether it is worth waiting for roles: an instance of a controller that may no longer work does not. */
  readonly isOpen: () => boolean;
  readonly logger: Logger;
}

/**
 * Permissions of one instance of a controller, or of the rest of a plugin: those that the authorizers give its account. Controllers may also read what the controller
 * manager may list: in Kubernetes too, they read from the manager's informers, and only write under their own names.
 */
export class ControllerAccess implements LocalAccess {
  readonly #options: ControllerAccessOptions;
  readonly #logged = new Set<string>();
  readonly #late = new Map<string, boolean>();
  #patientUntil: number | undefined;

  constructor(options: ControllerAccessOptions) {
    this.#options = options;
  }

  require(attributes: AuthorizationAttributes): void | Promise<void> {
    const answer = this.#decide(attributes);
    if (answer instanceof Promise) return this.#settle(attributes, answer);
    if (answer.decision !== 'allow') return this.#settle(attributes, answer);
  }

  /**
   * Whether this is allowed, decided synchronously.
   *
   * @param wasAllowed the answer while asynchronous authorizers, such as webhooks, have not refused it. Each call asks them again; their decision counts for later
   * calls.
   */
  allowsNow(attributes: AuthorizationAttributes, wasAllowed = false): boolean {
    const answer = this.#decide(attributes);
    if (!(answer instanceof Promise)) return answer.decision === 'allow';
    const key = [attributes.verb, attributes.group, attributes.resource, attributes.subresource].join(' ');
    const remember = (isAllowed: boolean) => {
      if (this.#late.size >= maximumLate) this.#late.clear();
      this.#late.set(key, isAllowed);
    };
    void answer.then(
      ({decision}) => remember(decision === 'allow'),
      () => remember(false),
    );
    return wasAllowed && this.#late.get(key) !== false;
  }

  /** Resolves with true as soon as all of this is allowed, with false when the signal fires before. */
  async whenAllowed(questions: readonly AuthorizationAttributes[], signal: AbortSignal): Promise<boolean> {
    for (let wait = pauseMillis; !signal.aborted; wait = Math.min(wait * 2, patienceMillis)) {
      try {
        for (const attributes of questions) await this.require(attributes);
        return !signal.aborted;
      } catch {
        await pause(wait, undefined, {ref: false, signal}).catch(() => undefined);
      }
    }
    return false;
  }

  #decide(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    const {decide, informers} = this.#options;
    const own = decide(attributes);
    if (!informers || !reads.has(attributes.verb)) return own;
    const orInformers = (answer: AuthorizationDecision) =>
      answer.decision === 'no-opinion'
        ? decide({...attributes, user: informers, verb: 'list', namespace: '', name: '', subresource: ''})
        : answer;
    return own instanceof Promise ? own.then(orInformers) : orInformers(own);
  }

  async #settle(attributes: AuthorizationAttributes, first: AuthorizationDecision | Promise<AuthorizationDecision>): Promise<void> {
    this.#patientUntil ??= performance.now() + patienceMillis;
    let wait = pauseMillis;
    for (let answer = await first; answer.decision !== 'allow'; answer = await this.#decide(attributes)) {
      const isFinal = answer.decision === 'deny' || performance.now() >= this.#patientUntil || !this.#options.isOpen();
      if (isFinal) {
        this.#logRefusal(attributes, answer.reason);
        throw refusal(attributes, answer.reason);
      }
      await pause(wait, undefined, {ref: false});
      wait = Math.min(wait * 2, maximumPauseMillis);
    }
  }

  #logRefusal({user, verb, group, resource, subresource, namespace, name}: AuthorizationAttributes, reason: string | undefined): void {
    const {holder, logger} = this.#options;
    const full = `${resource}${subresource ? `/${subresource}` : ''}${group ? `.${group}` : ''}`;
    const key = `${verb} ${full}`;
    if (this.#logged.has(key) || this.#logged.size >= maximumLogged) return;
    this.#logged.add(key);
    logger.error(
      {[holder.kind]: holder.name, user: user.username, verb, resource: full, namespace, name, ...(reason ? {reason} : {})},
      `the ${holder.kind} ${holder.name} may not ${verb} ${full}, which it needs to: declare it among ${holder.kind === 'controller' ? "the controller's permissions in plugin.json" : 'the permissions in its manifest'}, or allow it to ${user.username} by a role or in whatever --authorization-mode asks (default roles are made whole at the next start)`,
    );
  }
}
