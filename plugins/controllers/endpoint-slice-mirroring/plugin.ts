import {
  controller,
  inject,
  isNamespaceTerminating,
  Tokens,
  type ApiObject,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {CacheInformer, done, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {Endpoints, Service} from '../../../sdk/types/unchecked/core/v1.js';
import {ManagedSlices} from '../../families/endpoints/managed-slices.js';
import {selectorOf} from '../../families/endpoints/service-backends.js';
import {KeyLoop} from '../../families/queues/key-loop.js';
import {mirroredEndpoints} from './mirrored-endpoints.js';
import {MirrorPlanner, type MirrorPlan} from './mirror-plan.js';

const endpointsType = namespaced<Endpoints & ApiObject>('', 'v1', 'endpoints', 'Endpoints');
const serviceType = namespaced<Service & ApiObject>('', 'v1', 'services', 'Service');

/** As Kubernetes' queue. */
const retries = {initialMillis: 1000, maximumMillis: 100_000};
/** Longest wait for what was written to appear in the cache, which ends it. */
const unseenMillis = 1000;

/** Keeps EndpointSlices for the Endpoints that users make for services without a selector. */
@controller()
export class EndpointSliceMirroring implements Controller {
  readonly #loop: KeyLoop;
  readonly #endpoints: CacheInformer<Endpoints & ApiObject>;
  readonly #services: CacheInformer<Service & ApiObject>;
  readonly #slices: ManagedSlices;
  readonly #planner: MirrorPlanner;
  readonly #most: number;
  readonly #skipLabel: string;
  readonly #leaderKey: string;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#most = config['maxEndpointsPerSubset'] as number;
    this.#skipLabel = naming.key('endpointslice.orch/skip-mirror');
    this.#leaderKey = naming.key('control-plane.alpha.orch/leader');
    this.#loop = new KeyLoop(
      {resources, logger, metrics, concurrency: config['concurrency'] as number},
      {
        component: 'endpoint-slice-mirroring-controller',
        queue: 'endpoint_slice_mirroring',
        retries,
        failure: 'endpoints could not be mirrored',
        reconcile: (key) => this.#reconcile(key),
      },
    );
    const {clock, add, failed} = this.#loop;
    this.#endpoints = new CacheInformer(cache, endpointsType, {changed: add, deleted: add, failed});
    this.#services = new CacheInformer(cache, serviceType, {changed: add, deleted: add, failed});
    const managedBy = naming.group('endpointslicemirroring-controller.orch');
    this.#slices = new ManagedSlices({resources, cache, clock, naming, managedBy, changed: add, failed});
    this.#planner = new MirrorPlanner(naming, this.#slices);
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#loop.start(signal, this.#endpoints, this.#services, this.#slices);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const endpoints = (await this.#endpoints.get(name, namespace)) as Endpoints | undefined;
    const service = endpoints && ((await this.#services.get(name, namespace)) as Service | undefined);
    const isMirrored = service && !selectorOf(service.spec) && this.#mayMirror(endpoints);
    if (!isMirrored) this.#slices.forget(key);
    const existing = await this.#slices.of(key);
    if (!existing) return {again: unseenMillis};
    if (!isMirrored) {
      for (const slice of existing) await this.#slices.delete(key, slice);
      return done;
    }
    const {groups, invalid, skipped} = mirroredEndpoints(endpoints, this.#most);
    const warn = (reason: string, note: string) =>
      this.#loop.events.record({apiVersion: 'v1', kind: 'Endpoints', metadata: endpoints.metadata}, {type: 'Warning', reason, note});
    if (invalid > 0) warn('InvalidIPAddress', `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`);
    if (skipped > 0) {
      const note = `A max of ${this.#most} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped + invalid} addresses were skipped`;
      warn('TooManyAddressesToMirror', note);
    }
    await this.#carryOut(key, endpoints, this.#planner.plan(endpoints, groups, existing));
    return done;
  }

  #mayMirror({metadata}: Endpoints): boolean {
    return metadata.labels?.[this.#skipLabel] !== 'true' && !Object.hasOwn(metadata.annotations ?? {}, this.#leaderKey);
  }

  async #carryOut(key: string, {metadata}: Endpoints, {create, update, remove}: MirrorPlan): Promise<void> {
    if (!metadata.deletionTimestamp) {
      for (const slice of create) {
        try {
          await this.#slices.create(key, slice);
        } catch (error) {
          if (isNamespaceTerminating(error)) return;
          throw error;
        }
      }
    }
    for (const {before, slice} of update) await this.#slices.replace(key, before, slice);
    for (const slice of remove) await this.#slices.delete(key, slice);
  }
}
