import {
  controller,
  durationMillis,
  ifFound,
  inject,
  pagesOf,
  taskOf,
  Tokens,
  unlessOvertaken,
  type ApiObject,
  type Clock,
  type Controller,
  type Logger,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import type {ConfigMap, Pod, ServiceAccount} from '../../../sdk/types/unchecked/core/v1.js';
import {dayMillis, dayOf, invalidSinceKey, isDay, lastUsedKey, trackingName} from './legacy-token-names.js';

const secrets = {group: '', version: 'v1', resource: 'secrets'};
const serviceAccounts = {group: '', version: 'v1', resource: 'serviceaccounts'};
const pods = {group: '', version: 'v1', resource: 'pods'};
const configMaps = {group: '', version: 'v1', resource: 'configmaps'};

/** Time between two looks at all tokens, in milliseconds. */
const lookMillis = dayMillis;
/** Before the first look: a server that starts has more urgent things to do. */
const firstLookMillis = 60_000;
/** What a look at the tokens goes by. */
interface Look {
  readonly now: number;
  /** Tokens that were made or used on this day or later stay. */
  readonly keptFrom: string;
  readonly keptFromMillis: number;
  /** By namespace: the Secrets that its pods refer to. */
  readonly mounted: Map<string, Promise<ReadonlySet<string>>>;
}

/**
 * Deletes tokens in Secrets that were made for accounts without anybody asking, and that nobody uses: those which nobody has used for a period are marked as invalid, and those that
 * have been for another period are deleted (docs/semantics/access.md#tokens-in-secrets). As long as uses have not been noted for a period nothing is known.
 */
@controller()
export class LegacyTokenCleaner implements Controller {
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #lastUsedKey: string;
  readonly #invalidSinceKey: string;
  readonly #periodMillis: number;
  #callOff: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Clock) clock: Clock,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#resources = resources;
    this.#naming = naming;
    this.#clock = clock;
    this.#logger = logger;
    this.#lastUsedKey = lastUsedKey(naming);
    this.#invalidSinceKey = invalidSinceKey(naming);
    this.#periodMillis = period(config['legacyTokenCleanUpPeriod'] as string);
  }

  start(signal: AbortSignal): Promise<void> {
    this.#lookAfter(firstLookMillis, signal);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#callOff();
    await this.#looking;
  }

  #lookAfter(millis: number, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#callOff = this.#clock.after(millis, () => {
      this.#looking = this.#look(signal)
        .catch((err: unknown) => this.#logger.warn({err}, 'tokens in Secrets could not be looked through; it is tried again tomorrow'))
        .finally(() => this.#lookAfter(lookMillis, signal));
    });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const trackedFrom = await this.#trackedFrom();
    if (trackedFrom === undefined || now < trackedFrom + this.#periodMillis) return;
    const keptFromMillis = now - this.#periodMillis;
    const look: Look = {now, keptFrom: dayOf(keptFromMillis), keptFromMillis, mounted: new Map()};
    const task = taskOf(this.#resources, 'background', 'old tokens in Secrets');
    const selector = {fieldSelector: `type=${this.#naming.key('orch/service-account-token')}`, resourceVersion: '0'};
    for await (const {items} of pagesOf(this.#resources, secrets, '', selector)) {
      for (const secret of items) {
        if (signal.aborted) return;
        await task.yieldIfDue();
        try {
          if (await this.#isUnused(secret, look)) await this.#retire(secret, look);
        } catch (err) {
          const {namespace, name} = secret.metadata;
          this.#logger.warn({err, secret: `${namespace}/${name}`}, 'an old token in a Secret could not be seen to');
        }
      }
    }
  }

  /** The first day on which all uses are noted, in milliseconds since 1970; undefined if that is not known. */
  async #trackedFrom(): Promise<number | undefined> {
    const found = await ifFound(this.#resources.get(configMaps, this.#naming.systemNamespace, trackingName(this.#naming)));
    const since = (found as ConfigMap | undefined)?.data?.['since'];
    return isDay(since) ? Date.parse(since) + dayMillis : undefined;
  }

  /** Whether it was made for an account by itself, is old enough, and no use of it is known. */
  async #isUnused({metadata}: ApiObject, look: Look): Promise<boolean> {
    if (metadata.deletionTimestamp || Date.parse(metadata.creationTimestamp ?? '') >= look.keptFromMillis) return false;
    const lastUsed = metadata.labels?.[this.#lastUsedKey];
    if (lastUsed !== undefined && (!isDay(lastUsed) || lastUsed >= look.keptFrom)) return false;
    if (!(await this.#isListedByAccount(metadata))) return false;
    return !(await this.#mountedIn(metadata.namespace!, look)).has(metadata.name!);
  }

  async #isListedByAccount({namespace, name, annotations = {}}: ApiObject['metadata']): Promise<boolean> {
    const account = annotations?.[this.#naming.key('orch/service-account.name')];
    if (!account) return false;
    const found = (await ifFound(this.#resources.get(serviceAccounts, namespace!, account))) as ServiceAccount | undefined;
    const uid = annotations?.[this.#naming.key('orch/service-account.uid')];
    return Boolean(found && (!uid || uid === found.metadata.uid) && found.secrets?.some((reference) => reference.name === name));
  }

  #mountedIn(namespace: string, {mounted}: Look): Promise<ReadonlySet<string>> {
    let names = mounted.get(namespace);
    if (!names) mounted.set(namespace, (names = this.#namesOfPods(namespace)));
    return names;
  }

  async #namesOfPods(namespace: string): Promise<ReadonlySet<string>> {
    const {secretNames} = await import('../../families/pods/referenced-names.js');
    const names = new Set<string>();
    for await (const {items} of pagesOf(this.#resources, pods, namespace, {resourceVersion: '0'}))
      for (const {spec} of items as Pod[]) for (const name of secretNames(spec!)) names.add(name);
    return names;
  }

  /** Marks it as invalid, or deletes it if it has been marked for long enough and has not changed since. */
  async #retire({metadata}: ApiObject, {now, keptFrom}: Look): Promise<void> {
    const {namespace = '', name = '', uid, resourceVersion} = metadata;
    const secret = `${namespace}/${name}`;
    const marked = metadata.labels?.[this.#invalidSinceKey];
    if (!isDay(marked)) {
      const invalidSince = dayOf(now);
      const patch = {metadata: {uid, labels: {[this.#invalidSinceKey]: invalidSince}}};
      const isMarked = unlessOvertaken(this.#resources.patch(secrets, namespace, name, patch).then(() => true));
      if (await isMarked) this.#logger.info({secret, invalidSince}, 'a token in a Secret that nobody uses was marked as invalid');
    } else if (marked < keptFrom) {
      const isDeleted = unlessOvertaken(this.#resources.delete(secrets, namespace, name, {resourceVersion}).then(() => true));
      if (await isDeleted) this.#logger.info({secret, invalidSince: marked}, 'a token in a Secret that was invalid for long was deleted');
    }
  }
}

function period(text: string): number {
  const millis = durationMillis(text);
  if (!millis)
    throw new Error(`--legacy-service-account-token-clean-up-period: ${JSON.stringify(text)} is not a duration above zero, such as 8760h`);
  return millis;
}
