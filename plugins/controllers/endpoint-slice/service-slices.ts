import {isNamespaceTerminating, type FeatureGates, type NamingProfile} from '../../../sdk/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';
import type {EndpointPod} from '../../families/endpoints/endpoint-pod.js';
import type {ManagedSlices} from '../../families/endpoints/managed-slices.js';
import {portsKey} from '../../families/endpoints/slice-content.js';
import {desiredEndpoints, type ZoneOf} from './desired-endpoints.js';
import {packSlices} from './pack-slices.js';
import {SliceForm} from './slice-form.js';
import {dropHints, emptyPlan, type SlicePlan} from './slice-plan.js';
import type {HintEvent, TopologyHints} from './topology-hints.js';
import {hintByDistance, trafficNearness} from './traffic-distribution.js';

/** A service at a moment. */
export interface ServiceState {
  /** As `objectKey` makes it. */
  readonly key: string;
  readonly service: Service;
  readonly pods: readonly EndpointPod[];
  readonly existing: readonly EndpointSlice[];
  /** When the last change happened, in milliseconds since 1970; undefined if none has. */
  readonly triggeredAt: number | undefined;
}

export interface ServiceSlicesParts {
  readonly naming: NamingProfile;
  readonly gates: FeatureGates;
  readonly slices: ManagedSlices;
  readonly hints: TopologyHints;
  readonly zoneOf: ZoneOf;
  /** Endpoints that a slice has room for. */
  readonly most: number;
  readonly say: (service: Service, event: HintEvent) => void;
  /** A pod is left out as long as its node is not there. */
  readonly waits: (key: string, nodeName: string) => void;
}

/** Brings the slices of a service in order. */
export class ServiceSlices {
  readonly #parts: ServiceSlicesParts;
  readonly #form: SliceForm;

  constructor(parts: ServiceSlicesParts) {
    this.#parts = parts;
    this.#form = new SliceForm(parts.naming, parts.slices);
  }

  /** @throws Error that says in the words of Kubernetes what could not be done; the rest has been done */
  async reconcile(state: ServiceState): Promise<void> {
    const {key, service, existing} = state;
    const {slices, hints} = this.#parts;
    const families: readonly string[] = service.spec?.ipFamilies ?? [];
    const errors: unknown[] = [];
    for (const family of families) {
      try {
        await this.#reconcileFamily(state, family);
      } catch (error) {
        errors.push(error);
      }
    }
    for (const slice of existing.filter(({addressType = ''}) => !families.includes(addressType))) {
      hints.remove(key, slice.addressType ?? '');
      await slices.delete(key, slice);
    }
    if (errors.length > 0) throw errors[0];
  }

  async #reconcileFamily({key, service, pods, existing, triggeredAt}: ServiceState, family: string): Promise<void> {
    const {zoneOf, waits, gates, hints, say} = this.#parts;
    const own = existing.filter(({addressType}) => addressType === family);
    const {groups, withoutNode} = desiredEndpoints(service, pods, family, zoneOf);
    const plan = this.#plan(service, family, own, groups);
    const events: HintEvent[] = [];
    const nearness = trafficNearness(service, gates);
    if (this.#wantsHints(service)) {
      events.push(...hints.add(key, family, plan));
    } else {
      events.push(...hints.remove(key, family));
      if (nearness) hintByDistance(plan, nearness);
      else dropHints(plan);
    }
    await this.#carryOut(key, service, plan, triggeredAt);
    for (const event of events) say(service, event);
    for (const {nodeName} of withoutNode) waits(key, nodeName);
    const [missing] = withoutNode;
    if (missing) {
      const {namespace, name, nodeName} = missing;
      throw new Error(`skipping Pod ${name} for Service ${namespace}/${service.metadata.name}: Node ${nodeName} Not Found`);
    }
  }

  #plan(
    service: Service,
    family: string,
    existing: readonly EndpointSlice[],
    groups: ReturnType<typeof desiredEndpoints>['groups'],
  ): SlicePlan {
    const plan = emptyPlan();
    const byPorts = new Map<string, EndpointSlice[]>();
    for (const slice of existing) {
      if (!this.#form.isOwned(slice, service)) {
        plan.remove.push(slice);
        continue;
      }
      const key = portsKey(slice.ports);
      const others = byPorts.get(key);
      if (others) others.push(slice);
      else byPorts.set(key, [slice]);
    }
    for (const [key, {ports, endpoints}] of groups) {
      const rules = {
        most: this.#parts.most,
        labelsFor: (slice: EndpointSlice) => this.#form.labelsFor(slice, service),
        make: () => this.#form.make(service, family, ports),
      };
      packSlices(byPorts.get(key) ?? [], endpoints, rules, plan);
      byPorts.delete(key);
    }
    for (const unwanted of byPorts.values()) plan.remove.push(...unwanted);
    if (plan.remove.length === existing.length && plan.create.length === 0) this.#keepOne(service, family, plan);
    return plan;
  }

  /** A service without endpoints has a slice without endpoints. */
  #keepOne(service: Service, family: string, {create, remove}: SlicePlan): void {
    const [only, ...more] = remove;
    if (only && more.length === 0 && this.#form.isPlaceholder(only, service)) remove.length = 0;
    else create.push(this.#form.make(service, family, []));
  }

  async #carryOut(key: string, service: Service, {create, update, remove}: SlicePlan, triggeredAt: number | undefined): Promise<void> {
    const {slices} = this.#parts;
    const {namespace, name} = service.metadata;
    const failed = (what: string, error: unknown) =>
      new Error(`failed to ${what} Service ${namespace}/${name}: ${(error as Error).message}`, {cause: error});
    const made = [...create];
    const replaced = [...update];
    const removed: EndpointSlice[] = [];
    // What would be deleted becomes what would be created.
    for (const slice of remove) {
      const next = this.#form.isOwned(slice, service) ? made.pop() : undefined;
      if (next) replaced.push([slice, {...next, metadata: {...next.metadata, name: slice.metadata.name!}}]);
      else removed.push(slice);
    }
    if (!service.metadata.deletionTimestamp) {
      for (const slice of made) {
        this.#form.setTrigger(slice, triggeredAt);
        try {
          await slices.create(key, slice);
        } catch (error) {
          if (isNamespaceTerminating(error)) return;
          throw failed('create EndpointSlice for', error);
        }
      }
    }
    for (const [before, slice] of replaced) {
      this.#form.setTrigger(slice, triggeredAt);
      await slices.replace(key, before, slice).catch((error: unknown) => {
        throw failed(`update ${before.metadata.name} EndpointSlice for`, error);
      });
    }
    for (const slice of removed) {
      await slices.delete(key, slice).catch((error: unknown) => {
        throw failed(`delete ${slice.metadata.name} EndpointSlice for`, error);
      });
    }
  }

  /** The older of the two annotations comes first. */
  #wantsHints({metadata}: Service): boolean {
    const {naming, gates} = this.#parts;
    const {annotations = {}} = metadata;
    const [value] = ['topology-aware-hints', 'topology-mode'].flatMap((word) => annotations[naming.key(`service.orch/${word}`)] ?? []);
    return gates.enabled('TopologyAwareHints') && (value === 'Auto' || value === 'auto');
  }
}
