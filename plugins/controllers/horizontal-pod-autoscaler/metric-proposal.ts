import type {MetricSpec, MetricStatus, MetricTarget, MetricValueStatus} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import {shownSelector} from '../../families/workload-pods/shown-selector.js';
import {milliOf, quantityOf} from './metric-amount.js';
import {MetricError} from './metric-error.js';
import type {Proposal, ReplicaCalculator, ScaledPods} from './replica-calculator.js';

/** What a metric asks for. */
export interface MetricProposal {
  readonly replicas: number;
  /** The metric, as events and conditions name it. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** A metric that says nothing: why, as an event and a condition, and in the words of the whole. */
export class FailedMetric extends Error {
  constructor(
    readonly reason: string,
    /** What the event says. */
    readonly note: string,
    message: string,
    cause: unknown,
  ) {
    super(message, {cause});
  }
}

/** How many replicas one metric of an autoscaler asks for. @throws FailedMetric */
export async function proposalOf(calculator: ReplicaCalculator, scaled: ScaledPods, spec: MetricSpec): Promise<MetricProposal> {
  switch (spec.type) {
    case 'Object':
      return failing('FailedGetObjectMetric', 'failed to get object metric value', () => ofObject(calculator, scaled, spec));
    case 'Pods':
      return failing('FailedGetPodsMetric', 'failed to get pods metric value', () => ofPods(calculator, scaled, spec));
    case 'Resource': {
      const {name = ''} = spec.resource ?? {};
      return failing('FailedGetResourceMetric', `failed to get ${name} resource metric value`, async () => {
        const {proposed, current, shown} = await ofResource(calculator, scaled, {...spec.resource, kind: 'resource'});
        return {replicas: proposed.replicas, name: shown, status: {type: 'Resource', resource: {name, current}}};
      });
    }
    case 'ContainerResource': {
      const {name = '', container = ''} = spec.containerResource ?? {};
      return failing('FailedGetContainerResourceMetric', `failed to get ${container} container metric value`, async () => {
        const {proposed, current, shown} = await ofResource(calculator, scaled, {...spec.containerResource, kind: 'container resource'});
        return {
          replicas: proposed.replicas,
          name: shown,
          status: {type: 'ContainerResource', containerResource: {name, container, current}},
        };
      });
    }
    case 'External': {
      const {name = ''} = spec.external?.metric ?? {};
      return failing('FailedGetExternalMetric', `failed to get ${name} external metric value`, () => ofExternal(calculator, scaled, spec));
    }
    default: {
      const message = `unknown metric source type "${spec.type}"`;
      throw new FailedMetric('InvalidMetricSourceType', message, message, undefined);
    }
  }
}

async function failing(reason: string, prefix: string, work: () => Promise<MetricProposal>): Promise<MetricProposal> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MetricError)) throw error;
    const {cause, message} = error;
    // The event says less than the whole of it.
    const note = cause instanceof Noted ? cause.message : message;
    throw new FailedMetric(reason, note, `${prefix}: ${message}`, error);
  }
}

/** What the event says of a failure, where the condition says more. */
class Noted extends Error {}

async function noted<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MetricError)) throw error;
    throw new MetricError(`${prefix}: ${error.message}`, {cause: new Noted(error.message, {cause: error})});
  }
}

interface ResourceSource {
  readonly kind: 'resource' | 'container resource';
  readonly name?: string;
  readonly container?: string;
  readonly target?: MetricTarget;
}

async function ofResource(
  calculator: ReplicaCalculator,
  scaled: ScaledPods,
  {kind, name = '', container = '', target = {}}: ResourceSource,
): Promise<{proposed: Proposal; current: MetricValueStatus; shown: string}> {
  const {averageValue, averageUtilization} = target;
  if (averageValue !== undefined && averageValue !== null) {
    const proposed = await inWords(`failed to get ${name} usage`, () => calculator.byUsage(scaled, name, milliOf(averageValue), container));
    return {proposed, current: {averageValue: quantityOf(proposed.usage, name)}, shown: `${name} resource`};
  }
  if (averageUtilization === undefined || averageUtilization === null)
    throw new MetricError(
      'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set',
    );
  const proposed = await inWords(`failed to get ${name} utilization`, () =>
    calculator.byUtilization(scaled, name, averageUtilization, container),
  );
  return {
    proposed,
    current: {averageUtilization: proposed.utilization ?? 0, averageValue: quantityOf(proposed.usage, name)},
    shown: `${name} ${kind} utilization (percentage of request)`,
  };
}

async function inWords<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MetricError)) throw error;
    throw new MetricError(`${prefix}: ${error.message}`, {cause: error});
  }
}

async function ofPods(calculator: ReplicaCalculator, scaled: ScaledPods, {pods}: MetricSpec): Promise<MetricProposal> {
  const {name = '', selector} = pods?.metric ?? {};
  const {replicas, usage} = await calculator.byPodsMetric(scaled, name, selector, milliOf(pods?.target?.averageValue));
  const current = {averageValue: quantityOf(usage)};
  return {replicas, name: `pods metric ${name}`, status: {type: 'Pods', pods: {metric: identifier(name, selector), current}}};
}

async function ofObject(calculator: ReplicaCalculator, scaled: ScaledPods, {object}: MetricSpec): Promise<MetricProposal> {
  const {metric = {}, describedObject = {}, target = {}} = object ?? {};
  const {name = '', selector} = metric;
  const ask = (wanted: string, isAverage: boolean) =>
    calculator.byObject(scaled, {name, selector}, describedObject, milliOf(wanted), isAverage);
  const proposed = (replicas: number, current: MetricValueStatus, shown: string): MetricProposal => ({
    replicas,
    name: shown,
    status: {type: 'Object', object: {describedObject, metric: identifier(name, selector), current}},
  });
  const {type, value, averageValue} = target;
  if (type === 'Value' && isSet(value)) {
    const {replicas, usage} = await ask(value, false);
    return proposed(replicas, {value: quantityOf(usage)}, `${describedObject.kind} metric ${name}`);
  }
  if (type === 'AverageValue' && isSet(averageValue)) {
    const {replicas, usage} = await noted(`failed to get ${name} object metric`, () => ask(averageValue, true));
    return proposed(replicas, {averageValue: quantityOf(usage)}, `external metric ${name}(${shownSelector(selector)})`);
  }
  throw new MetricError('invalid object metric source: neither a value target nor an average value target was set');
}

async function ofExternal(calculator: ReplicaCalculator, scaled: ScaledPods, {external}: MetricSpec): Promise<MetricProposal> {
  const {metric = {}, target = {}} = external ?? {};
  const {name = '', selector} = metric;
  const shown = shownSelector(selector);
  const ask = (wanted: string, isAverage: boolean) =>
    calculator.byExternal(scaled, {name, selector, shownSelector: shown}, milliOf(wanted), isAverage);
  const proposed = (replicas: number, current: MetricValueStatus): MetricProposal => ({
    replicas,
    name: `external metric ${name}(${shown})`,
    status: {type: 'External', external: {metric: identifier(name, selector), current}},
  });
  const {value, averageValue} = target;
  if (isSet(averageValue)) {
    const {replicas, usage} = await noted(`failed to get ${name} external metric`, () => ask(averageValue, true));
    return proposed(replicas, {averageValue: quantityOf(usage)});
  }
  if (isSet(value)) {
    const {replicas, usage} = await noted(`failed to get external metric ${name}`, () => ask(value, false));
    return proposed(replicas, {value: quantityOf(usage)});
  }
  throw new MetricError('invalid external metric source: neither a value target nor an average value target was set');
}

function identifier(name: string, selector: NonNullable<NonNullable<MetricSpec['pods']>['metric']>['selector']) {
  return {name, ...(selector ? {selector} : {})};
}

function isSet(value: string | null | undefined): value is string {
  return value !== undefined && value !== null;
}
