import type {LabelSelector} from '../../shared/labels/label-selector.js';
import type {TargetReference} from './autoscaling-types.js';

/** A metric as the annotation `autoscaling.alpha.orch/metrics` of `autoscaling/v1` holds it. */
export interface MetricSpecV1 {
  type?: string;
  object?: {
    target?: TargetReference;
    metricName?: string;
    targetValue?: string;
    selector?: LabelSelector | null;
    averageValue?: string | null;
  } | null;
  pods?: {metricName?: string; targetAverageValue?: string; selector?: LabelSelector | null} | null;
  resource?: {name?: string; targetAverageUtilization?: number | null; targetAverageValue?: string | null} | null;
  containerResource?: {
    name?: string;
    container?: string;
    targetAverageUtilization?: number | null;
    targetAverageValue?: string | null;
  } | null;
  external?: {
    metricName?: string;
    metricSelector?: LabelSelector | null;
    targetValue?: string | null;
    targetAverageValue?: string | null;
  } | null;
}

/** A metric's state as the annotation `autoscaling.alpha.orch/current-metrics` holds it. */
export interface MetricStatusV1 {
  type?: string;
  object?: {
    target?: TargetReference;
    metricName?: string;
    currentValue?: string;
    selector?: LabelSelector | null;
    averageValue?: string | null;
  } | null;
  pods?: {metricName?: string; currentAverageValue?: string; selector?: LabelSelector | null} | null;
  resource?: {name?: string; currentAverageUtilization?: number | null; currentAverageValue?: string} | null;
  containerResource?: {name?: string; container?: string; currentAverageUtilization?: number | null; currentAverageValue?: string} | null;
  external?: {
    metricName?: string;
    metricSelector?: LabelSelector | null;
    currentValue?: string;
    currentAverageValue?: string | null;
  } | null;
}
