import type {NamingProfile} from '../../../sdk/index.js';
import type {Deployment, ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {maxSurge, wantedReplicas} from './deployment-object.js';

/** Maximum characters of the annotation with former revisions. */
const longestHistory = 2000;
const wholeNumber = /^[+-]?\d{1,19}$/;

/** A revision, which has 64 bits; undefined for a text that is none. */
export function readRevision(text: string): bigint | undefined {
  if (!wholeNumber.test(text)) return undefined;
  const revision = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, revision) === revision ? revision : undefined;
}

/** The annotations that Deployments and their ReplicaSets carry, by the platform's names. */
export class RevisionAnnotations {
  readonly revision: string;
  readonly rollbackTo: string;
  readonly desired: string;
  readonly #history: string;
  readonly #max: string;
  /** Those that are not copied between a Deployment and its ReplicaSets. */
  readonly #own: ReadonlySet<string>;

  constructor(naming: NamingProfile) {
    this.revision = naming.key('deployment.orch/revision');
    this.#history = naming.key('deployment.orch/revision-history');
    this.desired = naming.key('deployment.orch/desired-replicas');
    this.#max = naming.key('deployment.orch/max-replicas');
    this.rollbackTo = 'deprecated.deployment.rollback.to';
    const applied = naming.key('kubectl.orch/last-applied-configuration');
    this.#own = new Set([applied, this.revision, this.#history, this.desired, this.#max, this.rollbackTo]);
  }

  /** The revision of a ReplicaSet: 0 without one, undefined if it is no number. */
  revisionOf({metadata}: ReplicaSet): bigint | undefined {
    const text = metadata.annotations?.[this.revision];
    return text === undefined ? 0n : readRevision(text);
  }

  /** The highest revision, 0 for none. */
  highest(sets: readonly ReplicaSet[]): bigint {
    return this.#descending(sets)[0]!;
  }

  /** The one before the highest, 0 for none. */
  last(sets: readonly ReplicaSet[]): bigint {
    return this.#descending(sets)[1]!;
  }

  /** Lower revisions first; of one revision, or without one, by age. */
  compare(one: ReplicaSet, other: ReplicaSet): number {
    const [first, second] = [this.revisionOf(one), this.revisionOf(other)];
    return first === undefined || second === undefined || first === second ? byAge(one, other) : Number(first > second) || -1;
  }

  /** How many pods the Deployment wanted when it last scaled this set. */
  desiredOf(set: ReplicaSet): number | undefined {
    return countOf(set.metadata.annotations?.[this.desired]);
  }

  maxOf(set: ReplicaSet): number | undefined {
    return countOf(set.metadata.annotations?.[this.#max]);
  }

  /** Sets what the Deployment wants on a set that it scales. Answers whether that is a change. */
  setReplicas(set: ReplicaSet, deployment: Deployment): boolean {
    const wanted = wantedReplicas(deployment);
    return setAll(set, {[this.desired]: String(wanted), [this.#max]: String(wanted + maxSurge(deployment))});
  }

  /**
   * Gives the current ReplicaSet the annotations of its Deployment and its revision; former ones stay in its history. Changes `set`.
   *
   * @param exists whether the set is stored already
   * @returns whether anything is changed
   */
  setOn(set: ReplicaSet, deployment: Deployment, revision: bigint, exists: boolean): boolean {
    const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !this.#own.has(key));
    let isChanged = setAll(set, Object.fromEntries(copied));
    const annotations = (set.metadata.annotations ??= {});
    const before = annotations[this.revision];
    const known = before === undefined || before === '' ? 0n : readRevision(before);
    if (known === undefined) return false;
    if (known < revision) {
      annotations[this.revision] = String(revision);
      isChanged = true;
      if (before !== undefined) this.#remember(annotations, before);
    }
    return (!exists && this.setReplicas(set, deployment)) || isChanged;
  }

  /** The annotations of a Deployment that goes back to a ReplicaSet: those of that set, but for those that are not copied. */
  restored(deployment: Deployment, set: ReplicaSet): Record<string, string> {
    const pick = (of: Deployment | ReplicaSet, isOwn: boolean) =>
      Object.entries(of.metadata.annotations ?? {}).filter(([key]) => this.#own.has(key) === isOwn);
    return Object.fromEntries([...pick(deployment, true), ...pick(set, false)]);
  }

  #descending(sets: readonly ReplicaSet[]): bigint[] {
    return [0n, 0n, ...sets.flatMap((set) => this.revisionOf(set) ?? [])].sort((one, other) => Number(one < other) - Number(one > other));
  }

  #remember(annotations: Record<string, string>, revision: string): void {
    const text = annotations[this.#history] ?? '';
    if (text === '') {
      annotations[this.#history] = revision;
      return;
    }
    const former = text.split(',');
    let length = text.length + revision.length + 1;
    let start = 0;
    while (length > longestHistory && start < former.length) length -= former[start++]!.length + 1;
    if (length <= longestHistory) annotations[this.#history] = [...former.slice(start), revision].join(',');
  }
}

/** Older ones first; of one age by name. */
export function byAge(one: ReplicaSet, other: ReplicaSet): number {
  const created = ({metadata}: ReplicaSet) => Date.parse(metadata.creationTimestamp ?? '') || 0;
  return created(one) - created(other) || (one.metadata.name! < other.metadata.name! ? -1 : 1);
}

function countOf(text: string | undefined): number | undefined {
  const count = text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
  return count !== undefined && count < 2 ** 31 ? count : undefined;
}

function setAll(set: ReplicaSet, wanted: Readonly<Record<string, string>>): boolean {
  const annotations = (set.metadata.annotations ??= {});
  const changed = Object.entries(wanted).filter(([key, value]) => annotations[key] !== value);
  Object.assign(annotations, Object.fromEntries(changed));
  return changed.length > 0;
}
