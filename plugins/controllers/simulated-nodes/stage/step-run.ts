import type {Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {spreadMillis} from '../behaviour/behaviour.js';
import type {PodStages} from './stage-book.js';
import type {StageStep} from './stage-type.js';

/** Since when a step has been possible for a pod, in milliseconds since 1970, and whether it has happened since. */
export interface StepMemory {
  readonly since: number;
  isDone: boolean;
}

/** The steps of Stages for one pod: each happens once for as long as what it waits for is so. */
export class StepRun {
  readonly #steps: PodStages['steps'];
  readonly #memory: Map<string, StepMemory>;
  readonly #seed: string;

  /** @param at in milliseconds since 1970; what is possible now and was not before is so since then */
  constructor(pod: Pod, steps: PodStages['steps'], memory: Map<string, StepMemory>, at: number) {
    this.#memory = memory;
    this.#seed = pod.metadata.uid ?? '';
    this.#steps = steps.filter(({step}) => isPossible(pod, step));
    const possible = new Set(this.#steps.map(({id}) => id));
    for (const id of memory.keys()) if (!possible.has(id)) memory.delete(id);
    for (const id of possible) if (!memory.has(id)) memory.set(id, {since: at, isDone: false});
  }

  /** When the next one is due; undefined if none is. */
  get due(): number | undefined {
    const times = this.#steps.filter(({id}) => !this.#memory.get(id)!.isDone).map((each) => this.#dueOf(each));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Takes the first that is due at a time. */
  take(at: number): StageStep | undefined {
    const ready = this.#steps.filter((each) => !this.#memory.get(each.id)!.isDone && this.#dueOf(each) <= at);
    const first = ready.toSorted((left, right) => this.#dueOf(left) - this.#dueOf(right))[0];
    if (first) this.#memory.get(first.id)!.isDone = true;
    return first?.step;
  }

  #dueOf({id, step}: PodStages['steps'][number]): number {
    return this.#memory.get(id)!.since + (spreadMillis(step.delay ?? '0s', `${this.#seed} ${id}`) ?? 0);
  }
}

function isPossible({metadata, status = {}}: Pod, {when = {}}: StageStep): boolean {
  const {phases, conditions = [], deleted = false} = when;
  return (
    deleted === Boolean(metadata.deletionTimestamp) &&
    (phases === undefined || phases.includes(status.phase ?? 'Pending')) &&
    conditions.every((wanted) => status.conditions?.some(({type, status: is}) => type === wanted.type && is === wanted.status) ?? false)
  );
}
