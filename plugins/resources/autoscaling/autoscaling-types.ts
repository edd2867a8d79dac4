import type {Unchecked} from '../../../sdk/index.js';
import type * as v1 from '../../../sdk/types/autoscaling/v1.js';
import type * as v2 from '../../../sdk/types/autoscaling/v2.js';

/**
 * The group's types before validation. Objects are stored as `v2`, which can express everything; `v1` keeps what it has no fields for in
 * annotations.
 */
export type HorizontalPodAutoscaler = Unchecked<v2.HorizontalPodAutoscaler>;
export type AutoscalerCondition = Unchecked<v2.HorizontalPodAutoscalerCondition>;
export type AutoscalerSpec = Unchecked<v2.HorizontalPodAutoscalerSpec>;
export type AutoscalerStatus = Unchecked<v2.HorizontalPodAutoscalerStatus>;
export type Behavior = Unchecked<v2.HorizontalPodAutoscalerBehavior>;
export type MetricIdentifier = Unchecked<v2.MetricIdentifier>;
export type MetricSpec = Unchecked<v2.MetricSpec>;
export type MetricStatus = Unchecked<v2.MetricStatus>;
export type MetricTarget = Unchecked<v2.MetricTarget>;
export type MetricValue = Unchecked<v2.MetricValueStatus>;
export type ScalingRules = Unchecked<v2.HPAScalingRules>;
export type TargetReference = Unchecked<v2.CrossVersionObjectReference>;
export type HorizontalPodAutoscalerV1 = Unchecked<v1.HorizontalPodAutoscaler>;
