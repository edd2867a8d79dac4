import type {Logger, ObjectCache} from '../../../../sdk/index.js';
import type {Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import type {SimulatedNode} from '../node/simulated-node.js';
import {hadVolumes} from './mounted-volumes.js';
import type {PodRunParts} from './pod-run.js';
import {PodSources} from './pod-sources.js';
import {PodVolumes} from './pod-volumes.js';

/** How the platform spells what pods need. */
export interface NeedNames {
  /** With which the names of volumes of CSI begin in the statuses of nodes. */
  readonly csiPlugin: string;
  /** The ConfigMap with the server's CA. */
  readonly rootCa: string;
}

/** What pods need of other objects for their volumes and containers. */
export class PodNeeds {
  readonly #volumes: PodVolumes;
  readonly #sources: PodSources;

  /** @param changed called with the key of a pod that may lack nothing any more */
  constructor(cache: ObjectCache, {csiPlugin, rootCa}: NeedNames, changed: (key: string) => void, logger: Logger) {
    this.#volumes = new PodVolumes(cache, csiPlugin, changed, logger);
    this.#sources = new PodSources(cache, rootCa, changed, logger);
  }

  /** Nothing is followed after the signal. */
  start(signal: AbortSignal): void {
    this.#volumes.start(signal);
    this.#sources.start(signal);
  }

  /** What a pod on a node lacks. It is looked at again when that may have changed. A promise if that is not known yet. */
  async of(
    key: string,
    pod: Pod,
    node: SimulatedNode,
  ): Promise<Pick<PodRunParts, 'waits' | 'mountFaults' | 'missingPullSecrets' | 'environmentFault'>> {
    await Promise.all([this.#volumes.known(pod), this.#sources.known(pod)]);
    const hasBegun = hadVolumes(pod);
    const {mounts, pullSecrets: missingPullSecrets, environment: environmentFault} = this.#sources.of(key, pod, hasBegun);
    const {waits, faults: claims} = this.#volumes.of(key, pod, node, hasBegun);
    const isFaulty = mounts.length + claims.length > 0;
    return {waits: waits || isFaulty, missingPullSecrets, environmentFault, ...(isFaulty ? {mountFaults: {mounts, claims}} : {})};
  }

  /** A pod waits no more, or is gone. */
  forget(key: string): void {
    this.#volumes.forget(key);
    this.#sources.forget(key);
  }
}
