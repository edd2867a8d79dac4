import {
  controller,
  ifFound,
  inject,
  preconditionsOf,
  Tokens,
  unlessOvertaken,
  type Clock,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, DueTimes, Reconciler, type WorkResult} from '../../../sdk/controllers/index.js';
import type {Secret} from '../../../sdk/types/unchecked/core/v1.js';
import {tokenExpiry, tokenSecrets, tokenSecretSelector, tokenSecretType} from '../../families/bootstrap-tokens/token-secret.js';

/** `tokencleaner`: deletes the Secrets of expired bootstrap tokens. Sleeps until the next one expires. */
@controller()
export class TokenCleaner extends Reconciler {
  readonly #due: DueTimes;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #logger: Logger;
  readonly #clock: Clock;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Clock) clock: Clock,
  ) {
    super({
      resources,
      naming,
      logger,
      concurrency: 5,
      figures: {metrics, name: 'token_cleaner'},
      types: [
        {
          ref: tokenSecrets,
          fieldSelector: tokenSecretSelector(naming),
          changed: (object) => this.#observe(object as Secret),
          deleted: ({metadata}) => this.#schedule(metadata.name!, Infinity),
        },
      ],
      reconcile: (name) => this.#clean(name),
    });
    this.#resources = resources;
    this.#naming = naming;
    this.#logger = logger;
    this.#clock = clock;
    this.#due = new DueTimes((name) => this.add(name), clock);
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.#due.clear();
  }

  #observe(secret: Secret): string[] {
    return this.#schedule(secret.metadata.name!, tokenExpiry(secret));
  }

  /** The name, if its token has expired. @param expiry milliseconds since 1970, or `Infinity` */
  #schedule(name: string, expiry: number): string[] {
    const hasExpired = expiry <= this.#clock.now();
    this.#due.set(name, hasExpired || expiry === Infinity ? undefined : expiry);
    return hasExpired ? [name] : [];
  }

  async #clean(name: string): Promise<WorkResult> {
    const namespace = this.#naming.systemNamespace;
    const secret = (await ifFound(this.#resources.get(tokenSecrets, namespace, name))) as Secret | undefined;
    const isToken = secret?.type === tokenSecretType(this.#naming) && !secret.metadata.deletionTimestamp;
    // The watch reports concurrent changes.
    if (!isToken || tokenExpiry(secret) > this.#clock.now()) return done;
    const isDeleted = unlessOvertaken(this.#resources.delete(tokenSecrets, namespace, name, preconditionsOf(secret)).then(() => true));
    if (await isDeleted) this.#logger.info({secret: name}, 'an expired bootstrap token was deleted');
    return done;
  }
}
