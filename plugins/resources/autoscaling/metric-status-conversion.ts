import {optional} from './optional-member.js';
import type {MetricIdentifier, MetricStatus, MetricValueStatus} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import type {MetricStatus as MetricStatusV1} from '../../../sdk/types/unchecked/autoscaling/v1.js';

/** A metric's state in the form of the `autoscaling/v1` annotation. */
export function metricStatusToV1({type, object, pods, resource, containerResource, external}: MetricStatus): MetricStatusV1 {
  const result: MetricStatusV1 = {type: type ?? ''};
  if (object) {
    const {describedObject = {}, metric, current} = object;
    result.object = {
      target: describedObject,
      metricName: metric?.name ?? '',
      currentValue: current?.value ?? '0',
      ...selectorOf(metric),
      ...optional('averageValue', current?.averageValue),
    };
  }
  if (pods) {
    result.pods = {metricName: pods.metric?.name ?? '', currentAverageValue: pods.current?.averageValue ?? '0', ...selectorOf(pods.metric)};
  }
  if (resource) result.resource = {name: resource.name ?? '', ...averagesOf(resource.current)};
  if (containerResource) {
    result.containerResource = {
      name: containerResource.name ?? '',
      ...averagesOf(containerResource.current),
      container: containerResource.container ?? '',
    };
  }
  if (external) {
    const {metric, current} = external;
    result.external = {
      metricName: metric?.name ?? '',
      ...optional('metricSelector', metric?.selector),
      currentValue: current?.value ?? '0',
      ...optional('currentAverageValue', current?.averageValue),
    };
  }
  return result;
}

/** The reverse of `metricStatusToV1`. */
export function metricStatusFromV1({type, object, pods, resource, containerResource, external}: MetricStatusV1): MetricStatus {
  const result: MetricStatus = {type: type ?? ''};
  if (object) {
    const {target = {}, metricName = '', currentValue = '0', averageValue} = object;
    result.object = {
      metric: {name: metricName, ...selectorOf(object)},
      current: {value: currentValue, ...optional('averageValue', averageValue)},
      describedObject: target,
    };
  }
  if (pods) {
    result.pods = {metric: {name: pods.metricName ?? '', ...selectorOf(pods)}, current: {averageValue: pods.currentAverageValue ?? '0'}};
  }
  if (resource) result.resource = {name: resource.name ?? '', current: averageValue(resource)};
  if (containerResource) {
    const {name = '', container = ''} = containerResource;
    result.containerResource = {name, current: averageValue(containerResource), container};
  }
  if (external) {
    const {metricName = '', metricSelector, currentValue = '0', currentAverageValue} = external;
    result.external = {
      metric: {name: metricName, ...optional('selector', metricSelector)},
      current: {value: currentValue, ...optional('averageValue', currentAverageValue)},
    };
  }
  return result;
}

type Averages = Pick<NonNullable<MetricStatusV1['resource']>, 'currentAverageUtilization' | 'currentAverageValue'>;

function averagesOf(current: MetricValueStatus | undefined): Averages {
  return {...optional('currentAverageUtilization', current?.averageUtilization), currentAverageValue: current?.averageValue ?? '0'};
}

function averageValue({currentAverageUtilization, currentAverageValue = '0'}: Averages): MetricValueStatus {
  return {averageValue: currentAverageValue, ...optional('averageUtilization', currentAverageUtilization)};
}

function selectorOf(metric: Pick<MetricIdentifier, 'selector'> | undefined): Pick<MetricIdentifier, 'selector'> {
  return optional('selector', metric?.selector);
}
