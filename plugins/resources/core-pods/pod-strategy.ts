import {
  FieldPath,
  inject,
  strategy,
  Tokens,
  forbiddenField,
  type DeleteDecision,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
  type TableRowCondition,
} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {hasInvalidSelectorValues} from '../../families/pods/affinity.js';
import {dropDisabledPodFields} from '../../families/pods/disabled-fields.js';
import type {PodRules} from '../../families/pods/pod-rules.js';
import {hostNameWarnings, podWarnings} from '../../families/pods/pod-warnings.js';
import {keepObservedGenerations} from './observed-generation.js';
import type {PodSettings} from './pod-settings.js';
import {isFinished} from './pod.js';
import {podCells, podRowConditions} from './pod-cells.js';
import {applyPodDefaults} from './pod-defaults.js';
import {qosClass} from '../../families/pods/pod-qos.js';
import {isResizedByUpdate, markProposed} from './resize-by-update.js';
import {prepareResize, resizeFaults} from './pod-resize.js';
import {newPodFaults, podFaults} from './pod-rules.js';
import {podStatusFaults, podStatusWarnings} from './pod-status-rules.js';
import {prepareSpec} from './pod-preparation.js';
import {annotationUpdateFaults, podUpdateFaults} from './pod-update-rules.js';
import {sameValue} from '../../../sdk/validation/index.js';

const containersPath = FieldPath.of('spec', 'ephemeralContainers');

/** In seconds. Nobody waits longer, and the end of a longer period might not be representable as a date. */
const longestGracePeriod = 2 ** 31 - 1;

/**
 * Pod: containers that run together on one node. Most of it is immutable. It is deleted in two steps, so that the kubelet can shut it down
 * gracefully.
 */
@strategy()
export class PodStrategy implements ResourceStrategy<Pod> {
  readonly #rules: PodRules;
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;

  constructor(
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Config) settings: PodSettings,
  ) {
    this.#naming = naming;
    this.#gates = gates;
    this.#rules = {naming, gates, allowPrivileged: settings.allowPrivileged, allowReadWriteOncePod: gates.enabled('ReadWriteOncePod')};
  }

  applyDefaults(pod: Pod): void {
    applyPodDefaults(pod, this.#gates);
  }

  prepareForCreate(pod: Pod, context: StrategyContext): void {
    dropDisabledPodFields(pod.spec, undefined, this.#gates);
    for (const text of hostNameWarnings(pod.metadata.name, "the Pod's hostname")) context.warn(text);
    for (const text of podWarnings(pod, FieldPath.root, this.#rules)) context.warn(text);
    pod.status = {phase: 'Pending', qosClass: qosClass(pod.spec ?? {})};
    prepareSpec(pod, this.#rules, context);
    if (!pod.spec?.schedulingGates?.length) return;
    const lastTransitionTime = `${context.now.toISOString().slice(0, 19)}Z`;
    const message = 'Scheduling is blocked due to non-empty scheduling gates';
    pod.status.conditions = [{type: 'PodScheduled', status: 'False', lastTransitionTime, reason: 'SchedulingGated', message}];
  }

  prepareForUpdate(pod: Pod, old: Pod, {subresource, warn}: StrategyContext): void {
    if (subresource === '') {
      if (isResizedByUpdate(this.#gates)) markProposed(pod, old);
      dropDisabledPodFields(pod.spec, old.spec, this.#gates);
    }
    if (subresource === 'resize') prepareResize(pod, old, this.#gates);
    if (subresource === 'status') {
      keepObservedGenerations(pod, old);
      this.#dropDisabledStatus(pod, old);
      for (const text of podStatusWarnings(pod.status ?? {}, this.#gates)) warn(text);
    }
  }

  validateCreate(pod: Pod): FieldError[] {
    return newPodFaults(pod, this.#rules);
  }

  validateUpdate(pod: Pod, old: Pod, {subresource}: StrategyContext): FieldError[] {
    switch (subresource) {
      case 'status':
        return [...annotationUpdateFaults(pod, old, this.#naming), ...podStatusFaults(pod, old, this.#gates)];
      case 'ephemeralcontainers':
        return [...podFaults(pod, this.#storedRules(old)), ...ephemeralUpdateFaults(pod, old, this.#naming)];
      case 'resize':
        return [...podFaults(pod, this.#storedRules(old)), ...resizeFaults(pod, old, this.#naming, this.#gates)];
      // Only the binding operation writes through it.
      case 'binding':
        return [];
      default:
        return [...podFaults(pod, this.#storedRules(old)), ...podUpdateFaults(pod, old, this.#rules)];
    }
  }

  #dropDisabledStatus({status}: Pod, old: Pod): void {
    if (!this.#gates.enabled('DynamicResourceAllocation') && !old.spec?.resourceClaims?.length) delete status?.resourceClaimStatuses;
  }

  beforeDelete(pod: Pod, requestedGracePeriodSeconds: number | undefined): DeleteDecision {
    const period = Number(requestedGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 0);
    // No kubelet runs it, so there is nothing to wait for.
    if (period === 0 || !pod.spec?.nodeName || isFinished(pod)) return {action: 'remove'};
    return {action: 'terminate', gracePeriodSeconds: period < 0 ? 1 : Math.min(period, longestGracePeriod)};
  }

  selectableFields({spec}: Pod): Record<string, string> {
    return {'spec.host': spec?.nodeName ?? ''};
  }

  tableCells(pod: Pod, now: Date): Record<string, string> {
    return podCells(pod, now);
  }

  rowConditions(pod: Pod): readonly TableRowCondition[] {
    return podRowConditions(pod);
  }

  /** Values once accepted remain acceptable. */
  #storedRules(old: Pod): PodRules {
    return {
      ...this.#rules,
      ...(old.spec ? {stored: old.spec} : {}),
      allowInvalidSelectorValues: hasInvalidSelectorValues(old.spec ?? {}),
      allowIndivisibleHugePages: true,
      allowReadWriteOncePod: true,
    };
  }
}

/** Errors in a change of ephemeral containers: they can only be added. */
function ephemeralUpdateFaults(pod: Pod, old: Pod, naming: NamingProfile): FieldError[] {
  const mirror = naming.key('orch/config.mirror');
  const faults =
    old.metadata.annotations?.[mirror] === undefined
      ? []
      : [forbiddenField(FieldPath.of('spec'), 'static pods do not support ephemeral containers')];
  const now = new Map((pod.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]));
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const after = now.get(before.name);
    const name = JSON.stringify(before.name ?? '');
    if (!after) faults.push(forbiddenField(containersPath, `existing ephemeral containers ${name} may not be removed`));
    else if (!sameValue(after, before))
      faults.push(forbiddenField(containersPath, `existing ephemeral containers ${name} may not be changed`));
  }
  return faults;
}
