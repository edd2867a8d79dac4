import {
  ifFound,
  isAlreadyExists,
  isConflict,
  isNotFound,
  microTime,
  type ApiObject,
  type Clock,
  type Logger,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {done, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {Lease} from '../../../sdk/types/unchecked/coordination/v1.js';
import type {CandidateIndex} from './candidate-index.js';
import {isExpired, type Candidate} from './candidate.js';
import {bestOf, hasRunOut, isElectionDue, oldestEmulationVersion, presenceOf, strategyOf} from './election-rules.js';

export const leases: ResourceRef = {group: 'coordination.orch', version: 'v1', resource: 'leases'};

/** A lease with candidates is looked at so often, in milliseconds: that it has not been renewed is no event. */
const later: WorkResult = {again: 5000};
/** Seconds for which whoever is chosen has the lease, unless it renews it. */
const leaseSeconds = 5;
/** After somebody else has written first. */
const soon: WorkResult = {again: 100};

export interface ElectionParts {
  readonly resources: ResourceClient;
  readonly candidates: CandidateIndex;
  readonly candidateRef: ResourceRef;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Elections of the holders of leases. Nothing is remembered from one step to the next: who was asked and who has answered is in the candidates (`pingTime`,
 * `renewTime`), the outcome in the lease, so that another server can go on.
 */
export class Elections {
  readonly #parts: ElectionParts;

  constructor(parts: ElectionParts) {
    this.#parts = parts;
  }

  /**
   * Takes the election of a lease a step further: candidates are asked whether they are there, and the best of those who say so within five seconds is chosen.
   *
   * @param lease its key, as `objectKey` makes it
   * @throws Error if the candidates do not agree on a strategy
   */
  async step(lease: string): Promise<WorkResult> {
    const {resources, candidates: index, clock} = this.#parts;
    const now = clock.now();
    const candidates = (await index.of(lease)).filter((candidate) => !isExpired(candidate, now));
    if (candidates.length === 0) return done;
    const [namespace, name] = splitObjectKey(lease);
    const known = (await ifFound(resources.get(leases, namespace, name, {resourceVersion: '0'}))) as Lease | undefined;
    if (!isElectionDue(known, candidates, now)) return later;
    try {
      if (await this.#areAsked(candidates, now)) return later;
      const present = candidates.filter((candidate) => presenceOf(candidate, now) === 'present');
      // One that comes back says so, which brings the next step.
      if (present.length === 0) return done;
      await this.#decide(namespace, name, present, now);
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return soon;
      throw error;
    }
    return later;
  }

  /** Asks the candidates from which nothing is known. Whether an answer of one may still come. */
  async #areAsked(candidates: readonly Candidate[], now: number): Promise<boolean> {
    const {resources, candidateRef} = this.#parts;
    const unasked = candidates.filter((candidate) => presenceOf(candidate, now) === 'unasked');
    await Promise.all(
      unasked.map(({object}) => {
        const asked = {...object, spec: {...object.spec, pingTime: microTime(now)}} as ApiObject;
        return resources.update(candidateRef, object.metadata.namespace ?? '', asked);
      }),
    );
    return unasked.length > 0 || candidates.some((candidate) => presenceOf(candidate, now) === 'asked');
  }

  /** Writes the outcome into the lease. A holder that still has it learns whom to leave it to. */
  async #decide(namespace: string, name: string, present: readonly Candidate[], now: number): Promise<void> {
    const {resources, logger} = this.#parts;
    const strategy = strategyOf(present);
    // Where another strategy decides, there is a lease that nobody holds.
    const chosen = strategy === oldestEmulationVersion ? bestOf(present)?.name : undefined;
    const spec = {strategy, leaseDurationSeconds: leaseSeconds, renewTime: microTime(now)};
    const held = chosen === undefined ? spec : {...spec, holderIdentity: chosen};
    try {
      await resources.create(leases, namespace, {metadata: {namespace, name}, spec: held} as ApiObject);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const lease = (await resources.get(leases, namespace, name)) as Lease;
      const changed = changedLease(lease, strategy, chosen, now);
      if (!changed) return;
      await resources.update(leases, namespace, changed as ApiObject);
    }
    logger.info({lease: `${namespace}/${name}`, strategy, ...(chosen === undefined ? {} : {chosen})}, 'an election has ended');
  }
}

/** A lease after an election; undefined if it stays as it is. @param chosen undefined where another strategy decides */
export function changedLease(lease: Lease, strategy: string, chosen: string | undefined, now: number): Lease | undefined {
  const spec = lease.spec ?? {};
  const {preferredHolder: _preferred, acquireTime: _acquired, ...rest} = spec;
  const holder = spec.holderIdentity ?? '';
  if (chosen !== undefined && (holder === '' || (holder !== chosen && hasRunOut(lease, now)))) {
    const held = {strategy, holderIdentity: chosen, renewTime: microTime(now), leaseDurationSeconds: leaseSeconds};
    return {...lease, spec: {...rest, ...held}};
  }
  const isPreferred = chosen === undefined || chosen === holder || chosen === spec.preferredHolder;
  if (isPreferred && spec.strategy === strategy) return undefined;
  return {...lease, spec: {...spec, strategy, ...(isPreferred ? {} : {preferredHolder: chosen})}};
}
