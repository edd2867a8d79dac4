import type {Clock} from '../../../../sdk/controllers/index.js';
import type {KnownPod} from '../model/known-pod.js';
import type {QueuedPod} from './queued-pod.js';
import {WaitingPods} from './waiting-pods.js';
import {Heap} from '../../../families/queues/heap.js';

/** Pauses after failed attempts: doubled each time. */
const firstPauseMillis = 1000;
const longestPauseMillis = 10_000;
/** After this time a pod is tried again even if nothing has happened that could help. */
const longestWaitMillis = 300_000;
const flushMillis = 30_000;

const keyOf = ({pod}: QueuedPod): string => pod.key;

function isBefore(left: QueuedPod, right: QueuedPod): boolean {
  const [a, b] = [left.pod.shape.priority, right.pod.shape.priority];
  if (a !== b) return a > b;
  return left.since === right.since ? left.order < right.order : left.since < right.since;
}

/**
 * The pods that wait for a node: those that may be tried now, by priority and time; those that have failed and could be placed, after a pause; and those that could not be placed until something
 * happens.
 */
export class SchedulingQueue {
  readonly #active = new Heap<QueuedPod>(keyOf, isBefore);
  readonly #pausing: Heap<QueuedPod>;
  readonly #waiting = new WaitingPods();
  /** Pods whose own gates keep them. */
  readonly #gated = new Map<string, QueuedPod>();
  readonly #clock: Clock;
  readonly #wake: () => void;
  #order = 0;
  #callOff: (() => void) | undefined;
  #callOffFlush: (() => void) | undefined;

  /** @param wake called when there may be a pod to take */
  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
    this.#pausing = new Heap<QueuedPod>(keyOf, (left, right) => endOf(left) < endOf(right));
  }

  /** Pods in each state. */
  get sizes(): {readonly active: number; readonly backoff: number; readonly unschedulable: number; readonly gated: number} {
    return {active: this.#active.size, backoff: this.#pausing.size, unschedulable: this.#waiting.size, gated: this.#gated.size};
  }

  /** A pod is new, or has changed in a way that may help: it is tried at once. */
  add(pod: KnownPod): void {
    const before = this.#take(pod.key);
    this.#enqueue({pod, since: this.#clock.now(), order: (this.#order += 1), attempts: before?.attempts ?? 0, refusedBy: new Set()});
  }

  /** A pod has changed in a way that does not help. @returns false if it is not here */
  replace(pod: KnownPod): boolean {
    for (const heap of [this.#active, this.#pausing]) {
      if (!heap.has(pod.key)) continue;
      heap.put({...heap.take(pod.key)!, pod});
      return true;
    }
    const waiting = this.#waiting.get(pod.key);
    if (waiting) this.#waiting.put({...waiting, pod});
    const gated = this.#gated.get(pod.key);
    if (gated) this.#gated.set(pod.key, {...gated, pod});
    return waiting !== undefined || gated !== undefined;
  }

  /** A pod must wait until its gates are gone. */
  hold(pod: KnownPod): void {
    this.#take(pod.key);
    this.#gated.set(pod.key, {pod, since: this.#clock.now(), order: (this.#order += 1), attempts: 0, refusedBy: new Set()});
  }

  isHeld(key: string): boolean {
    return this.#gated.has(key);
  }

  /** The pods that are held. */
  get held(): readonly KnownPod[] {
    return [...this.#gated.values()].map(({pod}) => pod);
  }

  remove(key: string): void {
    this.#take(key);
  }

  /** The pod to be tried now; pauses count only while others are to be tried. */
  next(): QueuedPod | undefined {
    const taken = this.#active.shift();
    if (taken) return taken;
    return this.#pausing.first && this.#pausing.first.refusedBy.size > 0 ? this.#pausing.shift() : undefined;
  }

  /** It was refused everywhere: it waits for an event. */
  refused({pod, attempts}: QueuedPod, refusedBy: ReadonlySet<string>): void {
    this.#waiting.put({pod, since: this.#clock.now(), order: (this.#order += 1), attempts: attempts + 1, refusedBy});
    this.#callOffFlush ??= this.#clock.after(flushMillis, () => this.#flush());
  }

  /** An error kept it from being placed: it is tried again after a pause. */
  failed({pod, attempts}: QueuedPod): void {
    this.#pause({pod, since: this.#clock.now(), order: (this.#order += 1), attempts: attempts + 1, refusedBy: new Set()});
  }

  /**
   * Pods that wait are tried again if an event may help them.
   *
   * @param mayHelp asked about one of the pods that are alike and were refused alike
   * @param isHeld whether a pod, by its key, waits for something else
   */
  move(mayHelp: (queued: QueuedPod) => boolean, isHeld: (key: string) => boolean = () => false): void {
    if (this.#waiting.size === 0) return;
    for (const queued of this.#waiting.helped(mayHelp)) if (!isHeld(queued.pod.key)) this.#retry(queued);
  }

  /** A pod that waits is tried again at once. */
  activate(key: string): void {
    const queued = this.#waiting.get(key) ?? this.#pausing.take(key);
    if (!queued) return;
    this.#waiting.delete(key);
    this.#enqueue(queued);
  }

  close(): void {
    this.#callOff?.();
    this.#callOffFlush?.();
  }

  #take(key: string): QueuedPod | undefined {
    const found = this.#active.take(key) ?? this.#pausing.take(key) ?? this.#waiting.get(key) ?? this.#gated.get(key);
    this.#waiting.delete(key);
    this.#gated.delete(key);
    return found;
  }

  #enqueue(queued: QueuedPod): void {
    this.#active.put(queued);
    this.#wake();
  }

  #retry(queued: QueuedPod): void {
    this.#waiting.delete(queued.pod.key);
    if (endOf(queued) > this.#clock.now()) this.#pause(queued);
    else this.#enqueue(queued);
  }

  #pause(queued: QueuedPod): void {
    this.#pausing.put(queued);
    this.#sleep();
    this.#wake();
  }

  #sleep(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const {first} = this.#pausing;
    if (!first) return;
    this.#callOff = this.#clock.after(Math.max(1, endOf(first) - this.#clock.now()), () => {
      const now = this.#clock.now();
      while (this.#pausing.first && endOf(this.#pausing.first) <= now) this.#enqueue(this.#pausing.shift()!);
      this.#sleep();
    });
  }

  #flush(): void {
    this.#callOffFlush = undefined;
    const before = this.#clock.now() - longestWaitMillis;
    for (const queued of this.#waiting.all()) if (queued.since <= before) this.#retry(queued);
    if (this.#waiting.size > 0) this.#callOffFlush = this.#clock.after(flushMillis, () => this.#flush());
  }
}

/** When the pause of a pod ends. */
function endOf({since, attempts}: QueuedPod): number {
  return since + Math.min(longestPauseMillis, firstPauseMillis * 2 ** Math.max(0, attempts - 1));
}
