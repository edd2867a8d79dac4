import {
  controller,
  inject,
  isNotFound,
  StatusError,
  Tokens,
  type Clock,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {DueTimes, WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';
import {tokenExpiry, tokenSecrets, tokenSecretType, type TokenSecret} from '../../families/bootstrap-tokens/token-secret.js';
import {followTokens} from './follow-tokens.js';

const done: WorkResult = {done: true};

/** `tokencleaner`: deletes the Secrets of expired bootstrap tokens. Sleeps until the next one expires. */
@controller()
export class TokenCleaner implements Controller {
  readonly #abort = new AbortController();
  readonly #queue: WorkQueue;
  readonly #due: DueTimes;
  #running: Promise<void> = Promise.resolve();
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
    this.#clock = clock;
    this.#resources = resources;
    this.#naming = naming;
    this.#logger = logger;
    this.#queue = new WorkQueue((name) => this.#clean(name), {
      concurrency: 5,
      figures: {metrics, name: 'token_cleaner'},
      onError: (secret, error) => logger.warn({secret, err: error}, 'an expired bootstrap token could not be deleted; it is tried again'),
    });
    this.#due = new DueTimes((name) => this.#queue.add(name), clock);
  }

  start(_signal: AbortSignal): Promise<void> {
    this.#running = followTokens(
      this.#resources,
      this.#naming,
      {
        changed: (object) => this.#observe(object as TokenSecret),
        deleted: ({metadata}) => this.#due.set(metadata.name!, undefined),
        failed: (error) => this.#logger.warn({err: error}, 'bootstrap tokens cannot be watched; retrying'),
      },
      this.#abort.signal,
    );
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    this.#due.clear();
    await this.#queue.close();
  }

  #observe(secret: TokenSecret): void {
    const name = secret.metadata.name!;
    const expiry = tokenExpiry(secret);
    const hasExpired = expiry <= this.#clock.now();
    this.#due.set(name, hasExpired || expiry === Infinity ? undefined : expiry);
    if (hasExpired) this.#queue.add(name);
  }

  async #clean(name: string): Promise<WorkResult> {
    const namespace = this.#naming.systemNamespace;
    try {
      const secret = (await this.#resources.get(tokenSecrets, namespace, name)) as TokenSecret;
      const {uid, resourceVersion, deletionTimestamp} = secret.metadata;
      const isToken = secret.type === tokenSecretType(this.#naming) && !deletionTimestamp;
      // The watch reports concurrent changes.
      if (!isToken || tokenExpiry(secret) > this.#clock.now()) return done;
      await this.#resources.delete(tokenSecrets, namespace, name, {uid: uid!, resourceVersion: resourceVersion!});
      this.#logger.info({secret: name}, 'an expired bootstrap token was deleted');
    } catch (error) {
      if (!isNotFound(error) && !(StatusError.is(error) && error.reason === 'Conflict')) throw error;
    }
    return done;
  }
}
