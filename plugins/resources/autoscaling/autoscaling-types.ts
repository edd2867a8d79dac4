import type {ApiObject, ObjectMeta} from '../../../sdk/index.js';
import type {LabelSelector} from '../../shared/labels/label-selector.js';

/** A HorizontalPodAutoscaler of `autoscaling/v2`: the form that says everything, in which objects are stored. */
export interface HorizontalPodAutoscaler extends ApiObject {
  spec?: AutoscalerSpec;
  status?: AutoscalerStatus;
}

export interface AutoscalerSpec {
  scaleTargetRef?: TargetReference;
  minReplicas?: number | null;
  maxReplicas?: number;
  metrics?: MetricSpec[];
  behavior?: Behavior | null;
}

export interface AutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas?: number;
  currentMetrics?: MetricStatus[] | null;
  conditions?: AutoscalerCondition[];
}

export interface AutoscalerCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

export interface TargetReference {
  kind?: string;
  name?: string;
  apiVersion?: string;
}

export interface Behavior {
  scaleUp?: ScalingRules | null;
  scaleDown?: ScalingRules | null;
}

export interface ScalingRules {
  stabilizationWindowSeconds?: number | null;
  selectPolicy?: string | null;
  policies?: ScalingPolicy[];
}

export interface ScalingPolicy {
  type?: string;
  value?: number;
  periodSeconds?: number;
}

export interface MetricIdentifier {
  name?: string;
  selector?: LabelSelector | null;
}

export interface MetricTarget {
  type?: string;
  value?: string | null;
  averageValue?: string | null;
  averageUtilization?: number | null;
}

export interface MetricValue {
  value?: string | null;
  averageValue?: string | null;
  averageUtilization?: number | null;
}

/** A metric and what it should be: `type` says which of the members holds it. */
export interface MetricSpec {
  type?: string;
  object?: {describedObject?: TargetReference; target?: MetricTarget; metric?: MetricIdentifier} | null;
  pods?: {metric?: MetricIdentifier; target?: MetricTarget} | null;
  resource?: {name?: string; target?: MetricTarget} | null;
  containerResource?: {name?: string; container?: string; target?: MetricTarget} | null;
  external?: {metric?: MetricIdentifier; target?: MetricTarget} | null;
}

/** A metric and what it is. */
export interface MetricStatus {
  type?: string;
  object?: {describedObject?: TargetReference; current?: MetricValue; metric?: MetricIdentifier} | null;
  pods?: {metric?: MetricIdentifier; current?: MetricValue} | null;
  resource?: {name?: string; current?: MetricValue} | null;
  containerResource?: {name?: string; container?: string; current?: MetricValue} | null;
  external?: {metric?: MetricIdentifier; current?: MetricValue} | null;
}

/** A HorizontalPodAutoscaler of `autoscaling/v1`. What it has no fields for stands in annotations. */
export interface HorizontalPodAutoscalerV1 extends ApiObject {
  metadata: ObjectMeta;
  spec?: Omit<AutoscalerSpec, 'metrics' | 'behavior'> & {targetCPUUtilizationPercentage?: number | null};
  status?: Omit<AutoscalerStatus, 'currentMetrics' | 'conditions'> & {currentCPUUtilizationPercentage?: number | null};
}
