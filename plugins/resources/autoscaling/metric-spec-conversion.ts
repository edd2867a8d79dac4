import {quantityAmount} from '../../../sdk/index.js';
import type {MetricIdentifier, MetricSpec, MetricTarget} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import type {MetricSpec as MetricSpecV1} from '../../../sdk/types/unchecked/autoscaling/v1.js';
import {optional} from './optional-member.js';

/** A metric in the form of the `autoscaling/v1` annotation. */
export function metricSpecToV1({type, object, pods, resource, containerResource, external}: MetricSpec): MetricSpecV1 {
  const result: MetricSpecV1 = {type: type ?? ''};
  if (object) {
    const {describedObject = {}, metric, target} = object;
    result.object = {
      target: describedObject,
      metricName: metric?.name ?? '',
      targetValue: target?.value ?? '0',
      ...selectorOf(metric),
      ...optional('averageValue', target?.averageValue),
    };
  }
  if (pods) {
    result.pods = {metricName: pods.metric?.name ?? '', targetAverageValue: pods.target?.averageValue ?? '0', ...selectorOf(pods.metric)};
  }
  if (resource) result.resource = {name: resource.name ?? '', ...averagesOf(resource.target)};
  if (containerResource) {
    result.containerResource = {
      name: containerResource.name ?? '',
      ...averagesOf(containerResource.target),
      container: containerResource.container ?? '',
    };
  }
  if (external) {
    const {metric, target} = external;
    result.external = {
      metricName: metric?.name ?? '',
      ...optional('metricSelector', metric?.selector),
      ...optional('targetValue', target?.value),
      ...optional('targetAverageValue', target?.averageValue),
    };
  }
  return result;
}

/** The reverse of `metricSpecToV1`. The amount that is given determines the target's type. */
export function metricSpecFromV1({type, object, pods, resource, containerResource, external}: MetricSpecV1): MetricSpec {
  const result: MetricSpec = {type: type ?? ''};
  if (object) {
    // `targetValue` is always present; 0 means no target.
    const value = quantityAmount(object.targetValue) === 0n ? undefined : object.targetValue;
    const target = amountTarget(value, object.averageValue);
    result.object = {describedObject: object.target ?? {}, target, metric: {name: object.metricName ?? '', ...selectorOf(object)}};
  }
  if (pods) {
    result.pods = {
      metric: {name: pods.metricName ?? '', ...selectorOf(pods)},
      target: {type: 'AverageValue', ...optional('averageValue', pods.targetAverageValue)},
    };
  }
  if (resource) result.resource = {name: resource.name ?? '', target: averageTarget(resource)};
  if (containerResource) {
    const {name = '', container = ''} = containerResource;
    result.containerResource = {name, target: averageTarget(containerResource), container};
  }
  if (external) {
    result.external = {
      metric: {name: external.metricName ?? '', ...optional('selector', external.metricSelector)},
      target: amountTarget(external.targetValue, external.targetAverageValue),
    };
  }
  return result;
}

function amountTarget(value: string | null | undefined, averageValue: string | null | undefined): MetricTarget {
  return {type: averageValue ? 'AverageValue' : 'Value', ...optional('value', value), ...optional('averageValue', averageValue)};
}

function averageTarget({targetAverageUtilization: utilization, targetAverageValue: value}: Averages): MetricTarget {
  return {
    type: utilization === undefined || utilization === null ? 'AverageValue' : 'Utilization',
    ...optional('averageValue', value),
    ...optional('averageUtilization', utilization),
  };
}

type Averages = Pick<NonNullable<MetricSpecV1['resource']>, 'targetAverageUtilization' | 'targetAverageValue'>;

function averagesOf(target: MetricTarget | undefined): Averages {
  return {...optional('targetAverageUtilization', target?.averageUtilization), ...optional('targetAverageValue', target?.averageValue)};
}

function selectorOf(metric: Pick<MetricIdentifier, 'selector'> | undefined): Pick<MetricIdentifier, 'selector'> {
  return optional('selector', metric?.selector);
}
