import type {HPAScalingRules, HorizontalPodAutoscalerBehavior} from '../../../sdk/types/unchecked/autoscaling/v2.js';

/*
 * Kubernetes writes the behavior into its annotation with Go field names (`ScaleUp`, `PeriodSeconds`) and reads it case-insensitively; the
 * metrics next to it have JSON names. The same is done here, so that each server can read what the other has stored.
 */

/** A behaviour in the form of the annotation. */
export function behaviorToAnnotation({scaleUp, scaleDown}: HorizontalPodAutoscalerBehavior): object {
  return {ScaleUp: rulesToAnnotation(scaleUp), ScaleDown: rulesToAnnotation(scaleDown)};
}

function rulesToAnnotation(rules: HPAScalingRules | null | undefined): object | null {
  if (!rules) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies:
      rules.policies?.map(({type = '', value = 0, periodSeconds = 0}) => ({Type: type, Value: value, PeriodSeconds: periodSeconds})) ??
      null,
  };
}

/** The reverse of `behaviorToAnnotation`, with case-insensitive names. Undefined if the value is not a behavior. */
export function behaviorFromAnnotation(value: unknown): HorizontalPodAutoscalerBehavior | undefined {
  const members = lowerCased(value);
  if (!members) return undefined;
  const scaleUp = rulesFromAnnotation(members.get('scaleup'));
  const scaleDown = rulesFromAnnotation(members.get('scaledown'));
  return {...(scaleUp ? {scaleUp} : {}), ...(scaleDown ? {scaleDown} : {})};
}

function rulesFromAnnotation(value: unknown): HPAScalingRules | undefined {
  const members = lowerCased(value);
  if (!members) return undefined;
  const window = members.get('stabilizationwindowseconds');
  const selectPolicy = members.get('selectpolicy');
  const policies = members.get('policies');
  return {
    ...(typeof window === 'number' ? {stabilizationWindowSeconds: window} : {}),
    ...(typeof selectPolicy === 'string' ? {selectPolicy} : {}),
    ...(Array.isArray(policies) ? {policies: policies.map(policyFromAnnotation)} : {}),
  };
}

function policyFromAnnotation(value: unknown): {type: string; value: number; periodSeconds: number} {
  const members = lowerCased(value);
  const number = (name: string) => Number(members?.get(name) ?? 0);
  return {type: String(members?.get('type') ?? ''), value: number('value'), periodSeconds: number('periodseconds')};
}

function lowerCased(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
}
