import {secondTime, type ApiObject} from '../../../sdk/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '../../../sdk/types/unchecked/autoscaling/v2.js';

export type Autoscaler = HorizontalPodAutoscaler & ApiObject;

export const autoscalerType = namespaced<Autoscaler>('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler');

/** What one round finds out about an autoscaler, until it is written. */
export class AutoscalerState {
  readonly object: Readonly<Autoscaler>;
  readonly #now: number;
  #conditions: readonly HorizontalPodAutoscalerCondition[];
  #status: HorizontalPodAutoscalerStatus;

  /** @param now in milliseconds since 1970 */
  constructor(object: Readonly<Autoscaler>, now: number) {
    this.object = object;
    this.#now = now;
    this.#status = object.status ?? {};
    this.#conditions = this.#status.conditions ?? [];
  }

  /** Of the new status. */
  get status(): HorizontalPodAutoscalerStatus {
    return {...this.#status, conditions: [...this.#conditions]};
  }

  /** Sets a condition; the time of its transition changes with its status alone. */
  set(type: string, isTrue: boolean, reason: string, message: string): void {
    const status = isTrue ? 'True' : 'False';
    const before = this.#conditions.find((one) => one.type === type);
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? secondTime(this.#now)) : secondTime(this.#now);
    const condition = {type, status, lastTransitionTime, reason, message};
    this.#conditions = before ? this.#conditions.map((one) => (one === before ? condition : one)) : [...this.#conditions, condition];
  }

  remove(type: string): void {
    this.#conditions = this.#conditions.filter((one) => one.type !== type);
  }

  isTrue(type: string): boolean {
    return this.#conditions.some((one) => one.type === type && one.status === 'True');
  }

  /** @param metrics undefined if none was asked for */
  setCounts(currentReplicas: number, desiredReplicas: number, metrics: readonly MetricStatus[] | undefined, isScaled: boolean): void {
    const {lastScaleTime} = this.#status;
    const scaledAt = isScaled ? secondTime(this.#now) : lastScaleTime;
    this.#status = {
      ...(scaledAt ? {lastScaleTime: scaledAt} : {}),
      currentReplicas,
      desiredReplicas,
      currentMetrics: metrics === undefined ? (null as never) : [...metrics],
    };
  }
}
