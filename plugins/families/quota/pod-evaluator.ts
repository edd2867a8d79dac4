import type {AdmissionOperation, ApiObject, FeatureGates, NamingProfile} from '../../../sdk/index.js';
import type {Container, Pod} from '../../../sdk/types/core/v1.js';
import {addAmounts, containerAmounts} from '../pods/resource-amounts.js';
import {isExtendedResource, isHugePages, isNativeResource, isPodResource} from '../pods/resource-names.js';
import type {Amounts} from './amounts.js';
import {countName, type QuotaEvaluator} from './evaluator.js';
import {heldResources} from './held-resources.js';
import {hasDeadline, isPodInScope} from './pod-scopes.js';
import type {ScopeRequirement} from './quota-object.js';

const count = countName('', 'pods');
const computed = ['cpu', 'memory', 'ephemeral-storage'];
const names = new Set([count, 'pods', ...computed.flatMap((name) => [name, `requests.${name}`, `limits.${name}`])]);
/** What every container must set once a quota limits it. */
const demanded = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'requests.cpu', 'requests.memory'];

/** Counts pods and their resources. A pod that has ended counts only as an object. */
export class PodEvaluator implements QuotaEvaluator {
  readonly group = '';
  readonly resource = 'pods';
  readonly subresource = 'resize';

  readonly #gates: FeatureGates;
  readonly #naming: NamingProfile;
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(naming: NamingProfile, gates: FeatureGates, now: () => number) {
    this.#gates = gates;
    this.#naming = naming;
    this.#now = now;
  }

  /** A pod that ends, one that has been given a deadline and so changed its scope, and one that may have been resized. */
  mayUseLess(object: ApiObject): boolean {
    const pod = object as unknown as Pod;
    const isChanged = (pod.metadata?.generation ?? 1) > 1;
    return isChanged || this.#isOver(pod) || Boolean(pod.metadata?.deletionTimestamp) || hasDeadline(pod.spec);
  }

  /** The containers of a pod stay as they are but for a resize; an update may bring it into another scope. */
  handles(operation: AdmissionOperation, object: ApiObject, old: ApiObject | undefined): boolean {
    if (operation !== 'UPDATE') return operation === 'CREATE';
    return hasDeadline((object as unknown as Pod).spec) !== hasDeadline((old as unknown as Pod | undefined)?.spec);
  }

  counts(name: string): boolean {
    if (names.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-')) return true;
    return name.startsWith('requests.') && !isNativeResource(name, this.#naming);
  }

  usage(object: ApiObject): Amounts {
    const pod = object as unknown as Pod;
    if (this.#isOver(pod)) return {[count]: '1'};
    const {overhead = {}} = pod.spec ?? {containers: []};
    const total = (kind: 'requests' | 'limits') => {
      return addAmounts(
        {...containerAmounts(pod.spec ?? {}, kind, (container) => heldResources(container, pod, kind)), ...this.#ofPod(pod, kind)},
        overhead,
      );
    };
    return {[count]: '1', ...this.#named(total('requests'), total('limits'))};
  }

  missing(limited: readonly string[], object: ApiObject): string | undefined {
    const wanted = demanded.filter((name) => limited.includes(name));
    if (wanted.length === 0 || this.#hasOwnResources(object as unknown as Pod)) return undefined;
    const {containers, initContainers = []} = (object as unknown as Pod).spec ?? {containers: []};
    const lacking = new Map<string, Set<string>>();
    for (const {name, resources} of [...containers, ...initContainers] as Container[]) {
      const given = this.#named(resources?.requests ?? {}, resources?.limits ?? {});
      for (const resource of wanted.filter((one) => !Object.hasOwn(given, one)))
        lacking.set(resource, (lacking.get(resource) ?? new Set()).add(name));
    }
    if (lacking.size === 0) return undefined;
    const texts = wanted.filter((name) => lacking.has(name)).map((name) => `${name} for: ${[...lacking.get(name)!].sort().join(',')}`);
    return `must specify ${texts.join('; ')}`;
  }

  isInScope(requirement: ScopeRequirement, object: ApiObject): boolean {
    return isPodInScope(requirement, object as unknown as Pod);
  }

  /** Containers share what a pod has as a whole: they need not say what each takes of it. */
  #hasOwnResources(pod: Pod): boolean {
    return (['requests', 'limits'] as const).some((kind) => Object.keys(this.#ofPod(pod, kind)).length > 0);
  }

  /** What a pod asks for as a whole. */
  #ofPod({spec}: Pod, kind: 'requests' | 'limits'): Record<string, string> {
    if (!this.#gates.enabled('PodLevelResources')) return {};
    return Object.fromEntries(Object.entries(spec?.resources?.[kind] ?? {}).filter(([name]) => isPodResource(name)));
  }

  /** Amounts under the names by which quotas limit them. */
  #named(requests: Amounts, limits: Amounts): Record<string, string> {
    const named: Record<string, string> = {pods: '1'};
    for (const [name, amount] of Object.entries(requests)) {
      const isCounted = computed.includes(name) || isHugePages(name);
      if (isCounted) named[name] = amount;
      if (isCounted || isExtendedResource(name, this.#naming)) named[`requests.${name}`] = amount;
    }
    for (const name of computed) if (Object.hasOwn(limits, name)) named[`limits.${name}`] = limits[name]!;
    return named;
  }

  /** Whether a pod has ended, or should have: one whose node is lost must not keep others from starting. */
  #isOver({metadata, status}: Pod): boolean {
    if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true;
    const {deletionTimestamp, deletionGracePeriodSeconds} = metadata ?? {};
    if (!deletionTimestamp || typeof deletionGracePeriodSeconds !== 'number') return false;
    return this.#now() > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
  }
}
