import {setTimeout as delay} from 'node:timers/promises';
import {internalError, isConflict, isNotFound, type ResourceClient} from '../../../sdk/index.js';
import {resourceQuotas, type ResourceQuota} from '../../families/quota/quota-object.js';
import {usageWith, type QuotaRequest} from './check-request.js';
import type {LimitedResource} from './limited-resources.js';

/** Attempts for one batch. An attempt fails if another server has changed the quotas in the meantime. */
const mostRounds = 12;
/** Longest pause between two attempts; the actual pause is random, so that servers do not collide again. */
const longestPauseMillis = 20;
/** How long one batch may take (Kubernetes' time for an evaluation). */
const batchMillis = 10_000;
/** Quotas that this server has written but may not have read back yet. */
const mostRemembered = 1000;

interface Waiting extends QuotaRequest {
  /** Quotas that still have to be charged; undefined for all. */
  readonly open?: ReadonlySet<string>;
  done(): void;
  refused(error: unknown): void;
}

/**
 * Charges quotas for requests by compare-and-swap on their status. Requests in one namespace that arrive during a write are checked
 * together afterwards, each on top of the previous ones, and share one write of each quota.
 *
 * A request that is rejected or fails later may leave a quota overcharged. The controller `resource-quota` corrects that.
 */
export class Reservations {
  /** Requests by namespace that wait for the current batch. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** The latest state of quotas that this server has written, by namespace and name. */
  readonly #written = new Map<string, ResourceQuota>();

  readonly #resources: ResourceClient;
  readonly #limited: readonly LimitedResource[];

  constructor(resources: ResourceClient, limited: readonly LimitedResource[]) {
    this.#resources = resources;
    this.#limited = limited;
  }

  /** The quotas of a namespace in the server's cache. */
  async cached(namespace: string): Promise<ResourceQuota[]> {
    const {items} = await this.#resources.list(resourceQuotas, namespace, {resourceVersion: '0'});
    return (items as ResourceQuota[]).map((quota) => this.#newer(quota));
  }

  /** @throws StatusError 403 if the object does not fit; 409 and 500 if that cannot be decided in time */
  reserve(one: QuotaRequest): Promise<void> {
    const {namespace} = one.request;
    return new Promise((done, refused) => {
      const entry = {...one, done, refused};
      const others = this.#waiting.get(namespace);
      if (others) {
        others.push(entry);
        return;
      }
      this.#waiting.set(namespace, []);
      void this.#serve(namespace, [entry]);
    });
  }

  async #serve(namespace: string, first: Waiting[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.#waiting.get(namespace)!.splice(0)) {
      try {
        await this.#charge(namespace, batch);
      } catch (error) {
        for (const {refused} of batch) refused(error);
      }
    }
    this.#waiting.delete(namespace);
  }

  /**
   * Decides every request of a batch. The cache is good enough to admit a request, because the write is conditional, but not to reject one.
   */
  async #charge(namespace: string, batch: readonly Waiting[]): Promise<void> {
    const deadline = performance.now() + batchMillis;
    let open = batch;
    let problem: unknown;
    for (let round = 0; open.length > 0; round++) {
      if (round > mostRounds || performance.now() > deadline) {
        const error = problem ?? internalError('resource quota evaluation timed out');
        for (const {refused} of open) refused(error);
        return;
      }
      if (round > 1) await delay(Math.random() * Math.min(longestPauseMillis, 2 ** round));
      const quotas = round === 0 ? await this.cached(namespace) : await this.#recent(namespace);
      const {changed, charged, again} = this.#check(quotas, open, round > 0);
      const failures = await this.#write(quotas, changed);
      problem = [...failures.values()][0] ?? problem;
      open = [...again, ...settle(charged, failures)];
    }
  }

  /** Checks requests one after another, each on top of the previous ones. Requests that need no write are decided here. */
  #check(quotas: readonly ResourceQuota[], open: readonly Waiting[], isRecent: boolean) {
    const running = new Map(quotas.map((quota) => [quota.metadata.name!, quota]));
    const changed = new Set<string>();
    const charged: {entry: Waiting; names: readonly string[]}[] = [];
    const again: Waiting[] = [];
    for (const entry of open) {
      const concerned = [...running.values()].filter(({metadata}) => entry.open?.has(metadata.name!) ?? true);
      try {
        const usage = usageWith(concerned, entry, entry.open ? [] : this.#limited);
        if (entry.request.dryRun || usage.size === 0) {
          entry.done();
          continue;
        }
        for (const [name, used] of usage) {
          const quota = running.get(name)!;
          running.set(name, {...quota, status: {...quota.status, used}});
          changed.add(name);
        }
        charged.push({entry, names: [...usage.keys()]});
      } catch (error) {
        if (isRecent) entry.refused(error);
        else again.push(entry);
      }
    }
    return {changed: [...changed].map((name) => running.get(name)!), charged, again};
  }

  /** Writes quotas, each only if it has not changed. Returns why some were not written, by name. */
  async #write(before: readonly ResourceQuota[], changed: readonly ResourceQuota[]): Promise<ReadonlyMap<string, unknown>> {
    const failures = new Map<string, unknown>();
    await Promise.all(
      changed.map(async (quota) => {
        const name = quota.metadata.name!;
        const {namespace, resourceVersion} = before.find(({metadata}) => metadata.name === name)!.metadata;
        try {
          const object = {...quota, metadata: {...quota.metadata, resourceVersion: resourceVersion!}};
          this.#remember((await this.#resources.update(resourceQuotas, namespace!, object, 'status')) as ResourceQuota);
        } catch (error) {
          failures.set(name, error);
        }
      }),
    );
    return failures;
  }

  async #recent(namespace: string): Promise<ResourceQuota[]> {
    const {items} = await this.#resources.list(resourceQuotas, namespace);
    return items as ResourceQuota[];
  }

  #remember(quota: ResourceQuota): void {
    const key = keyOf(quota);
    this.#written.delete(key);
    this.#written.set(key, quota);
    if (this.#written.size > mostRemembered) this.#written.delete(this.#written.keys().next().value!);
  }

  #newer(quota: ResourceQuota): ResourceQuota {
    const written = this.#written.get(keyOf(quota));
    if (!written) return quota;
    const isNewer =
      written.metadata.uid === quota.metadata.uid && Number(written.metadata.resourceVersion) > Number(quota.metadata.resourceVersion);
    if (isNewer) return written;
    this.#written.delete(keyOf(quota));
    return quota;
  }
}

function keyOf({metadata}: ResourceQuota): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Admits the requests whose quotas have all been written; returns those that must be retried, with what is left to charge. */
function settle(charged: readonly {entry: Waiting; names: readonly string[]}[], failures: ReadonlyMap<string, unknown>): Waiting[] {
  const again: Waiting[] = [];
  for (const {entry, names} of charged) {
    const open = names.filter((name) => failures.has(name));
    const fatal = open.map((name) => failures.get(name)).find((error) => !mayTryAgain(error));
    if (fatal !== undefined) entry.refused(fatal);
    else if (open.length > 0) again.push({...entry, open: new Set(open)});
    else entry.done();
  }
  return again;
}

/** The quota was changed by another write, or deleted and no longer applies. */
function mayTryAgain(error: unknown): boolean {
  return isNotFound(error) || isConflict(error);
}
