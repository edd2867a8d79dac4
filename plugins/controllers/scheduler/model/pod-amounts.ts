import type {FeatureGates} from '../../../../sdk/index.js';
import type {Container, Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {addAmounts, containerAmounts} from '../../../families/pods/resource-amounts.js';
import {isPodResource} from '../../../families/pods/resource-names.js';
import {heldResources} from '../../../families/quota/held-resources.js';
import {amountsOf, type Amounts} from './amounts.js';

/** What a container that says nothing counts for in scores, so that such pods are spread too. */
const assumed = {cpu: '100m', memory: `${200 * 1024 * 1024}`};

export interface PodAmounts {
  /** What the pod asks for: with overhead, init containers and sidecars, or as a whole. */
  readonly requests: Amounts;
  /** The same for scores: containers that ask for no processor or memory count for some. */
  readonly scored: {readonly cpu: number; readonly memory: number};
}

/** What pods ask for. What is asked for in the same words is computed once. */
export class PodAmountReader {
  readonly #known = new Map<string, PodAmounts>();
  readonly #hasPodLevel: boolean;

  constructor(gates: FeatureGates) {
    this.#hasPodLevel = gates.enabled('PodLevelResources');
  }

  /** The amounts, and a text that is equal for equal amounts. */
  read(pod: Pod): {readonly amounts: PodAmounts; readonly key: string} {
    const key = wordsOf(pod);
    let amounts = this.#known.get(key);
    if (!amounts) {
      // A cache: what falls out is computed again.
      if (this.#known.size >= mostKnown) this.#known.clear();
      this.#known.set(key, (amounts = this.#compute(pod)));
    }
    return {amounts, key};
  }

  #compute(pod: Pod): PodAmounts {
    const {spec = {}} = pod;
    const overhead = (spec.overhead ?? {}) as Record<string, string>;
    const asWhole = this.#hasPodLevel ? Object.entries(spec.resources?.requests ?? {}).filter(([name]) => isPodResource(name)) : [];
    const ofPod = Object.fromEntries(asWhole) as Record<string, string>;
    const held = (container: Container) => heldResources(container, pod, 'requests') as Record<string, string>;
    const total = (of: (container: Container) => Record<string, string>) =>
      amountsOf(addAmounts({...containerAmounts(spec, 'requests', of), ...ofPod}, overhead));
    const {cpu, memory} = total((container) => ({...assumed, ...held(container)}));
    return {requests: total(held), scored: {cpu, memory}};
  }
}

const mostKnown = 10_000;

/** Everything that the amounts depend on. */
function wordsOf({spec = {}, status}: Pod): string {
  const ofContainer = ({name, resources, restartPolicy}: Container) => [name, resources?.requests, restartPolicy];
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
    .filter(({resources}) => resources?.requests)
    .map(({name, resources, allocatedResources}) => [name, resources?.requests, allocatedResources]);
  const pending = statuses.length > 0 && status?.conditions?.find(({type}) => type === 'PodResizePending');
  return JSON.stringify([
    (spec.containers ?? []).map(ofContainer),
    (spec.initContainers ?? []).map(ofContainer),
    spec.overhead,
    spec.resources?.requests,
    statuses,
    pending ? pending.reason : undefined,
  ]);
}
