import {
  controller,
  inject,
  isConflict,
  isNotFound,
  pagesOf,
  preconditionsOf,
  taskOf,
  Tokens,
  type ApiObject,
  type Clock,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  secondTime,
} from '../../../sdk/index.js';
import {done, DueTimes, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {ResourceClaim, ResourceSlice} from '../../../sdk/types/unchecked/resource/v1.js';
import type {PoolStatus, ResourcePoolStatusRequest} from '../../../sdk/types/unchecked/resource/v1alpha3.js';
import {PoolCounts} from './pool-counts.js';

const group = 'resource.orch';
const requests: ResourceRef = {group, version: 'v1alpha3', resource: 'resourcepoolstatusrequests'};
const slices: ResourceRef = {group, version: 'v1', resource: 'resourceslices'};
const claims: ResourceRef = {group, version: 'v1', resource: 'resourceclaims'};

/** Pools in an answer unless the request says otherwise. */
const defaultLimit = 100;
/** How long a request stays once it is answered, and if it never is, in milliseconds. */
const answeredMillis = 3_600_000;
const pendingMillis = 24 * 3_600_000;
/** A driver may be about to publish the rest of its slices: so often is looked again, after so many milliseconds each. */
const patience = {times: 5, millis: 500};

/** Answers requests for how many devices of a driver's pools are in use, once each, and removes them when their time is over. */
@controller()
export class ResourcePoolStatus extends Reconciler {
  readonly #resources: ResourceClient;
  readonly #clock: Clock;
  readonly #due: DueTimes;
  /** How often a request was looked at while a pool was not complete. */
  readonly #looks = new Map<string, number>();

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
      concurrency: 1,
      figures: {metrics, name: 'resourcepoolstatusrequest-controller'},
      types: [
        {
          ref: requests,
          startFromCache: true,
          changed: (request) => this.#changed(request),
          deleted: (request) => {
            this.#due.set(objectKey(request), undefined);
            this.#looks.delete(objectKey(request));
            return [];
          },
        },
      ],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#clock = clock;
    this.#due = new DueTimes((key) => this.add(key), clock);
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.#due.clear();
  }

  #changed(request: ApiObject): string[] {
    const key = objectKey(request);
    this.#due.set(key, endOf(request));
    return (request as ResourcePoolStatusRequest).status ? [] : [key];
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [, name] = splitObjectKey(key);
    try {
      const request = await this.#resources.get(requests, '', name);
      if (endOf(request) <= this.#clock.now()) await this.#resources.delete(requests, '', name, preconditionsOf(request));
      else if (!(request as ResourcePoolStatusRequest).status) return await this.#answer(key, request as ResourcePoolStatusRequest);
    } catch (error) {
      if (isConflict(error)) return {again: 0};
      if (!isNotFound(error)) throw error;
    }
    return done;
  }

  async #answer(key: string, request: ResourcePoolStatusRequest): Promise<WorkResult> {
    const {driver = '', poolName, limit} = request.spec ?? {};
    const all = await this.#count(driver, poolName ?? '');
    const looks = this.#looks.get(key) ?? 0;
    if (looks < patience.times && all.some(isIncomplete)) {
      this.#looks.set(key, looks + 1);
      return {again: patience.millis};
    }
    this.#looks.delete(key);
    const pools = all.slice(0, limit ?? defaultLimit);
    const incomplete = pools.filter(isIncomplete).length;
    const condition = {
      type: 'Complete',
      status: 'True',
      reason: 'CalculationComplete',
      message: `Calculated status for ${pools.length} pools${incomplete > 0 ? ` (${incomplete} incomplete)` : ''}`,
      lastTransitionTime: secondTime(this.#clock.now()),
    };
    const status = {poolCount: all.length, ...(pools.length > 0 ? {pools} : {}), conditions: [condition]};
    await this.#resources.update(requests, '', {...request, status} as unknown as ApiObject, 'status');
    return done;
  }

  /** From the server's cache, page by page. */
  async #count(driver: string, poolName: string): Promise<PoolStatus[]> {
    const counts = new PoolCounts(driver, poolName);
    const task = taskOf(this.#resources, 'background', 'devices of pools');
    const cached = {resourceVersion: '0'};
    for await (const {items} of pagesOf(this.#resources, slices, '', cached)) {
      for (const slice of items) counts.addSlice(slice as ResourceSlice);
      await task.yieldIfDue();
    }
    for await (const {items} of pagesOf(this.#resources, claims, '', cached)) {
      for (const claim of items) counts.addClaim(claim as ResourceClaim);
      await task.yieldIfDue();
    }
    return counts.pools();
  }
}

function isIncomplete({validationError}: PoolStatus): boolean {
  return validationError !== undefined;
}

/** When a request is removed, in milliseconds since 1970. */
function endOf(object: ApiObject): number {
  const {metadata, status} = object as ResourcePoolStatusRequest;
  const created = Date.parse(metadata.creationTimestamp ?? '');
  if (!status) return created + pendingMillis;
  const outcome = status.conditions?.find(({type}) => type === 'Complete' || type === 'Failed');
  return (outcome ? Date.parse(outcome.lastTransitionTime ?? '') : created) + answeredMillis;
}
