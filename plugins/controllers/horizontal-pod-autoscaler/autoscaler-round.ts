import {quantityAmount, StatusError, type ApiObject, type Clock, type ResourceClient} from '../../../sdk/index.js';
import type {EventRecorder} from '../../../sdk/controllers/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {HPAScalingRules, MetricSpec, MetricStatus} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import {AutoscalerState, autoscalerType, type Autoscaler} from './autoscaler-object.js';
import {FailedMetric, proposalOf, type MetricProposal} from './metric-proposal.js';
import type {ReplicaCalculator, ScaledPods, Tolerances} from './replica-calculator.js';
import {ScaleError, type ScaleTarget, type ScaleTargets} from './scale-target.js';
import type {AutoscalerHistory} from './scaling-history.js';
import {limitByRates, limitPlainly} from './scaling-limits.js';
import type {SelectorBook} from './selector-book.js';
import {stabilizeByRules, stabilizePlainly} from './stabilization.js';

/** What autoscalers have in common. */
export interface RoundSettings {
  readonly downscaleStabilizationMillis: number;
  readonly tolerance: number;
  /** Whether autoscalers may have tolerances of their own, and may scale to nothing. */
  readonly hasOwnTolerance: boolean;
  readonly canScaleToZero: boolean;
}

export interface RoundParts {
  readonly resources: ResourceClient;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly targets: ScaleTargets;
  readonly calculator: ReplicaCalculator;
  readonly selectors: SelectorBook;
  readonly settings: RoundSettings;
}

const mostReplicas = 2 ** 31 - 1;

/** Nothing more can be done in this round; what is known of it has been said. */
class RoundEnded extends Error {}

/** One look at an autoscaler: reads its metrics, scales its workload, and writes its status. */
export class AutoscalerRound {
  readonly #parts: RoundParts;
  readonly #object: Readonly<Autoscaler>;
  readonly #key: string;
  readonly #history: AutoscalerHistory;
  readonly #state: AutoscalerState;
  readonly #now: number;

  constructor(parts: RoundParts, key: string, object: Readonly<Autoscaler>, history: AutoscalerHistory) {
    this.#parts = parts;
    this.#key = key;
    this.#object = object;
    this.#history = history;
    this.#now = parts.clock.now();
    this.#state = new AutoscalerState(object, this.#now);
  }

  /** @throws what is no answer of the server */
  async run(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      if (!(error instanceof RoundEnded)) throw error;
    }
    await this.#write();
  }

  async #look(): Promise<void> {
    const target = await this.#target();
    this.#state.set('AbleToScale', true, 'SucceededGetScale', "the HPA controller was able to get the target's current scale");
    const {specReplicas: current} = target;
    if (this.#history.recommendations.isEmpty) this.#history.recommendations.add(this.#now, current, -Infinity);
    const {maxReplicas = 0} = this.#object.spec ?? {};
    const min = this.#object.spec?.minReplicas ?? 1;
    if (current === 0 && !this.#mayLeaveZero(min)) {
      this.#state.set('ScalingActive', false, 'ScalingDisabled', 'scaling is disabled since the replica count of the target is zero');
      if (!this.#parts.settings.canScaleToZero) this.#state.remove('ScaledToZero');
      this.#state.setCounts(current, current, undefined, false);
    } else if (current !== 0 && current > maxReplicas) {
      await this.#scale(target, maxReplicas, 'Current number of replicas above Spec.MaxReplicas', min, undefined);
    } else if (current !== 0 && current < min) {
      await this.#scale(target, min, 'Current number of replicas below Spec.MinReplicas', min, undefined);
    } else await this.#follow(target, min, maxReplicas);
  }

  /** Goes by the metrics. */
  async #follow(target: ScaleTarget, min: number, max: number): Promise<void> {
    const {specReplicas: current} = target;
    const {wanted, name, statuses} = await this.#measure(target);
    let reason = wanted > current ? `${name} above target` : wanted < current ? 'All metrics below target' : '';
    let replicas = this.#limit(wanted, {current, min, max});
    if (current === 0 && min !== 0 && this.#state.isTrue('ScaledToZero') && replicas < min) {
      replicas = min;
      reason ||= 'Current number of replicas below Spec.MinReplicas';
    }
    if (replicas === current) this.#state.setCounts(current, current, statuses, false);
    else await this.#scale(target, replicas, reason, min, statuses);
  }

  /** @throws RoundEnded */
  async #target(): Promise<ScaleTarget> {
    const {namespace = ''} = this.#object.metadata;
    try {
      return await this.#parts.targets.find(namespace, this.#object.spec?.scaleTargetRef ?? {});
    } catch (error) {
      if (!(error instanceof ScaleError)) throw error;
      this.#event('Warning', 'FailedGetScale', error.message);
      const message = `the HPA controller was unable to get the target's current scale: ${error.message}`;
      this.#state.set('AbleToScale', false, 'FailedGetScale', message);
      throw new RoundEnded();
    }
  }

  /** Of a workload without replicas: whether the autoscaler has brought it there. */
  #mayLeaveZero(min: number): boolean {
    const isOwn = this.#parts.settings.canScaleToZero && this.#state.isTrue('ScaledToZero');
    return isOwn && (min !== 0 || this.#hasOtherMetrics);
  }

  get #hasOtherMetrics(): boolean {
    return (this.#object.spec?.metrics ?? []).some(({type}) => type === 'Object' || type === 'External');
  }

  /** What the metrics ask for together: the most. @throws RoundEnded if too little is known */
  async #measure(target: ScaleTarget): Promise<{wanted: number; name: string; statuses: MetricStatus[]}> {
    const scaled = await this.#scaled(target);
    const specs: readonly MetricSpec[] = this.#object.spec?.metrics ?? [];
    const results: (MetricProposal | FailedMetric)[] = [];
    for (const spec of specs) results.push(await this.#proposal(scaled, spec));
    const known = results.filter((one): one is MetricProposal => !(one instanceof FailedMetric));
    const failed = results.filter((one) => one instanceof FailedMetric);
    const best = known.reduce<MetricProposal | undefined>((most, one) => (most && most.replicas >= one.replicas ? most : one), undefined);
    const wanted = Math.min(best?.replicas ?? 0, mostReplicas);
    const statuses = results.map((one): MetricStatus => (one instanceof FailedMetric ? {type: ''} : one.status));
    if (failed.length >= specs.length || (failed.length > 0 && wanted < target.specReplicas)) {
      const first = failed[0];
      if (first) this.#state.set('ScalingActive', false, first.reason, `the HPA was unable to compute the replica count: ${first.note}`);
      const text = `invalid metrics (${failed.length} invalid out of ${specs.length}), first error is: ${first?.message}`;
      this.#fail(target, statuses, text);
    }
    const name = best?.name ?? '';
    this.#state.set('ScalingActive', true, 'ValidMetricFound', `the HPA was able to successfully calculate a replica count from ${name}`);
    return {wanted, name, statuses};
  }

  async #proposal(scaled: ScaledPods, spec: MetricSpec): Promise<MetricProposal | FailedMetric> {
    try {
      return await proposalOf(this.#parts.calculator, scaled, spec);
    } catch (error) {
      if (!(error instanceof FailedMetric)) throw error;
      this.#event('Warning', error.reason, error.note);
      return error;
    }
  }

  /** @throws RoundEnded if it is not known which pods are meant */
  async #scaled(target: ScaleTarget): Promise<ScaledPods> {
    const {selector, specReplicas, statusReplicas} = target;
    const {namespace = ''} = this.#object.metadata;
    if (selector === '') {
      const message = 'selector is required';
      this.#event('Warning', 'SelectorRequired', message);
      this.#state.set('ScalingActive', false, 'InvalidSelector', "the HPA target's scale is missing a selector");
      this.#fail(target, undefined, message);
    }
    const conflict = await this.#parts.selectors.conflictOf(this.#key, namespace, selector);
    if (conflict) {
      this.#event('Warning', conflict.reason, conflict.message);
      this.#state.set('ScalingActive', false, conflict.reason, conflict.message);
      this.#fail(target, undefined, conflict.message);
    }
    return {namespace, selector, specReplicas, statusReplicas, tolerances: this.#tolerances};
  }

  get #tolerances(): Tolerances {
    const {tolerance, hasOwnTolerance} = this.#parts.settings;
    const {scaleUp, scaleDown} = (hasOwnTolerance && this.#object.spec?.behavior) || {};
    const own = (rules: HPAScalingRules | undefined | null) =>
      rules?.tolerance === undefined || rules.tolerance === null ? tolerance : shareOf(rules.tolerance);
    return {up: own(scaleUp), down: own(scaleDown)};
  }

  #fail(target: ScaleTarget, metrics: MetricStatus[] | undefined, message: string): never {
    this.#keepCounts(target, metrics);
    this.#event('Warning', 'FailedComputeMetricsReplicas', message);
    throw new RoundEnded();
  }

  #keepCounts({specReplicas}: ScaleTarget, metrics: MetricStatus[] | undefined): void {
    this.#state.setCounts(specReplicas, this.#state.status.desiredReplicas ?? 0, metrics, false);
  }

  #limit(wanted: number, bounds: {readonly current: number; readonly min: number; readonly max: number}): number {
    const {behavior} = this.#object.spec ?? {};
    const {downscaleStabilizationMillis: windowMillis} = this.#parts.settings;
    const down = {...behavior?.scaleDown};
    down.stabilizationWindowSeconds ??= Math.floor(windowMillis / 1000);
    const rules = behavior && {up: behavior.scaleUp ?? {}, down};
    const now = this.#now;
    const stable = rules
      ? stabilizeByRules(wanted, bounds.current, rules, this.#history, now)
      : stabilizePlainly(wanted, this.#history, windowMillis, now);
    if (stable.replicas === wanted) this.#state.set('AbleToScale', true, 'ReadyForNewScale', 'recommended size matches current size');
    else this.#state.set('AbleToScale', true, stable.reason, stable.message);
    const limited = rules ? limitByRates(stable.replicas, bounds, rules, this.#history, now) : limitPlainly(stable.replicas, bounds);
    this.#state.set('ScalingLimited', limited.replicas !== stable.replicas, limited.reason, limited.message);
    return limited.replicas;
  }

  /** @throws RoundEnded */
  async #scale(target: ScaleTarget, replicas: number, reason: string, min: number, metrics: MetricStatus[] | undefined): Promise<void> {
    const {specReplicas: current} = target;
    try {
      await this.#parts.targets.scale(this.#object.metadata.namespace ?? '', target, replicas);
    } catch (error) {
      if (!(error instanceof ScaleError)) throw error;
      this.#event('Warning', 'FailedRescale', `New size: ${replicas}; reason: ${reason}; error: ${error.message}`);
      const message = `the HPA controller was unable to update the target scale: ${error.message}`;
      this.#state.set('AbleToScale', false, 'FailedUpdateScale', message);
      this.#keepCounts(target, metrics);
      throw new RoundEnded();
    }
    const message = `the HPA controller was able to update the target scale to ${replicas}`;
    this.#state.set('AbleToScale', true, 'SucceededRescale', message);
    this.#event('Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${reason}`);
    this.#remember(replicas - current);
    this.#noteZero(current > 0 && replicas === 0 && min === 0 && this.#hasOtherMetrics);
    this.#state.setCounts(current, replicas, metrics, true);
  }

  #noteZero(isZero: boolean): void {
    if (!this.#parts.settings.canScaleToZero) this.#state.remove('ScaledToZero');
    else if (isZero) this.#state.set('ScaledToZero', true, 'ScaledToZero', 'the HPA controller scaled the workload to zero');
    else this.#state.set('ScaledToZero', false, 'NotScaledToZero', 'the HPA controller did not scale the workload to zero');
  }

  /** Rates go by what was done. */
  #remember(change: number): void {
    const {behavior} = this.#object.spec ?? {};
    if (!behavior) return;
    const policies = [...(behavior.scaleUp?.policies ?? []), ...(behavior.scaleDown?.policies ?? [])];
    const longest = Math.max(0, ...policies.map(({periodSeconds = 0}) => periodSeconds));
    const {added, removed} = this.#history;
    (change > 0 ? added : removed).add(this.#now, Math.abs(change), this.#now - longest * 1000);
  }

  async #write(): Promise<void> {
    const {status} = this.#state;
    if (sameValue(status, this.#object.status ?? {})) return;
    try {
      const {namespace = ''} = this.#object.metadata;
      await this.#parts.resources.update(autoscalerType, namespace, {...this.#object, status} as ApiObject, 'status');
    } catch (error) {
      if (!StatusError.is(error)) throw error;
      this.#event('Warning', 'FailedUpdateStatus', error.message);
    }
  }

  #event(type: 'Normal' | 'Warning', reason: string, note: string): void {
    const subject = {...this.#object, apiVersion: `${autoscalerType.group}/v2`, kind: 'HorizontalPodAutoscaler'} as ApiObject;
    this.#parts.events.record(subject, {type, reason, note});
  }
}

/** `0.05` or `50m` as a number. */
function shareOf(quantity: string): number {
  return Number(quantityAmount(quantity)) / 1e9;
}
