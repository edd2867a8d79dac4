import type {NamingProfile} from '../../../sdk/index.js';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  MetricSpec,
  MetricStatus,
} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import type {
  HorizontalPodAutoscaler as HorizontalPodAutoscalerV1,
  MetricSpec as MetricSpecV1,
  MetricStatus as MetricStatusV1,
} from '../../../sdk/types/unchecked/autoscaling/v1.js';
import {behaviorFromAnnotation, behaviorToAnnotation} from './behavior-annotation.js';
import {metricSpecFromV1, metricSpecToV1} from './metric-spec-conversion.js';
import {metricStatusFromV1, metricStatusToV1} from './metric-status-conversion.js';

type SpecV1 = NonNullable<HorizontalPodAutoscalerV1['spec']>;
type StatusV1 = NonNullable<HorizontalPodAutoscalerV1['status']>;

/** Names of the annotations in which `autoscaling/v1` keeps what it has no fields for. */
export interface RoundTripAnnotations {
  readonly metrics: string;
  readonly currentMetrics: string;
  readonly conditions: string;
  readonly behavior: string;
}

export function roundTripAnnotations(naming: NamingProfile): RoundTripAnnotations {
  const name = (part: string) => naming.key(`autoscaling.alpha.orch/${part}`);
  return {metrics: name('metrics'), currentMetrics: name('current-metrics'), conditions: name('conditions'), behavior: name('behavior')};
}

/** Converts an autoscaler from `autoscaling/v2` to `autoscaling/v1`. `object` is not modified. */
export function autoscalerToV1(
  object: HorizontalPodAutoscaler,
  names: RoundTripAnnotations,
  apiVersion: string,
): HorizontalPodAutoscalerV1 {
  const {spec: {metrics = [], behavior, ...spec} = {}, status: {currentMetrics, conditions, ...status} = {}} = object;
  // The last one, because the reverse conversion puts it there.
  const cpu = metrics.findLast(isCpuUtilization);
  const others = metrics.filter((metric) => metric !== cpu);
  const current = (currentMetrics ?? []).find(
    (metric) => metric.resource?.name === 'cpu' && typeof metric.resource.current?.averageUtilization === 'number',
  );
  const annotations = withoutRoundTrip(object.metadata.annotations, names);
  if (others.length > 0) annotations[names.metrics] = JSON.stringify(others.map(metricSpecToV1));
  if (currentMetrics?.length) annotations[names.currentMetrics] = JSON.stringify(currentMetrics.map(metricStatusToV1));
  if (conditions?.length) annotations[names.conditions] = JSON.stringify(conditions);
  if (behavior) annotations[names.behavior] = JSON.stringify(behaviorToAnnotation(behavior));
  const specV1: SpecV1 = spec;
  if (cpu) specV1.targetCPUUtilizationPercentage = cpu.resource!.target!.averageUtilization!;
  const statusV1: StatusV1 = status;
  if (current) statusV1.currentCPUUtilizationPercentage = current.resource!.current!.averageUtilization!;
  return {
    ...object,
    apiVersion,
    metadata: withAnnotations(object, annotations),
    ...(object.spec ? {spec: specV1} : {}),
    // This version always has both counters.
    ...(object.status
      ? {status: {...statusV1, currentReplicas: statusV1.currentReplicas ?? 0, desiredReplicas: statusV1.desiredReplicas ?? 0}}
      : {}),
  };
}

/** The reverse of `autoscalerToV1`. A malformed annotation counts as absent. `object` is not modified. */
export function autoscalerToV2(
  object: HorizontalPodAutoscalerV1,
  names: RoundTripAnnotations,
  apiVersion: string,
): HorizontalPodAutoscaler {
  const annotations = object.metadata.annotations;
  const {
    spec: {targetCPUUtilizationPercentage: target, ...specV1} = {},
    status: {currentCPUUtilizationPercentage: current, ...statusV1} = {},
  } = object;
  const metrics: MetricSpec[] = listIn<MetricSpecV1>(annotations?.[names.metrics]).map(metricSpecFromV1);
  if (typeof target === 'number')
    metrics.push({type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: target}}});
  const behavior = behaviorFromAnnotation(parsed(annotations?.[names.behavior]));
  const currentMetrics: MetricStatus[] = listIn<MetricStatusV1>(annotations?.[names.currentMetrics]).map(metricStatusFromV1);
  if (currentMetrics.length === 0 && typeof current === 'number') {
    currentMetrics.push({type: 'Resource', resource: {name: 'cpu', current: {averageUtilization: current}}});
  }
  const conditions = listIn<HorizontalPodAutoscalerCondition>(annotations?.[names.conditions]);
  const spec: HorizontalPodAutoscalerSpec = {...specV1, ...(metrics.length > 0 ? {metrics} : {}), ...(behavior ? {behavior} : {})};
  const {currentReplicas, ...statusRest} = statusV1;
  const status: HorizontalPodAutoscalerStatus = {
    ...statusRest,
    ...(currentReplicas ? {currentReplicas} : {}),
    currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
    ...(conditions.length > 0 ? {conditions} : {}),
  };
  return {
    ...object,
    apiVersion,
    metadata: withAnnotations(object, withoutRoundTrip(annotations, names)),
    ...(object.spec ? {spec} : {}),
    ...(object.status || currentMetrics.length > 0 || conditions.length > 0 ? {status} : {}),
  };
}

/** Whether an autoscaler of `autoscaling/v1` has metrics other than the one with a field. */
export function hasOtherMetrics({metadata}: HorizontalPodAutoscalerV1, names: RoundTripAnnotations): boolean {
  return listIn(metadata.annotations?.[names.metrics]).length > 0;
}

/** Annotations without those that belong to `autoscaling/v1`. */
export function withoutRoundTrip(annotations: Record<string, string> | undefined, names: RoundTripAnnotations): Record<string, string> {
  const dropped = new Set<string>(Object.values(names));
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([name]) => !dropped.has(name)));
}

function withAnnotations({metadata}: HorizontalPodAutoscaler | HorizontalPodAutoscalerV1, annotations: Record<string, string>) {
  const {annotations: _replaced, ...rest} = metadata;
  return Object.keys(annotations).length > 0 ? {...rest, annotations} : rest;
}

function isCpuUtilization({type, resource}: MetricSpec): boolean {
  const {name, target} = resource ?? {};
  // A target that has an amount as well as a percentage cannot be expressed by one number.
  return (
    type === 'Resource' &&
    name === 'cpu' &&
    typeof target?.averageUtilization === 'number' &&
    target.type === 'Utilization' &&
    !target.averageValue
  );
}

function listIn<T>(text: string | undefined): T[] {
  const value = parsed(text);
  return Array.isArray(value) ? value.filter((item): item is T => typeof item === 'object' && item !== null) : [];
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
