import {isGiven} from '../../../sdk/validation/index.js';
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../sdk/types/unchecked/autoscaling/v2.js';

/** Maximum number of metrics in a cell. */
const shownMetrics = 2;

/** Cells of an autoscaler's Table row, from its `autoscaling/v2` form. */
export function autoscalerCells({spec, status}: HorizontalPodAutoscaler): Record<string, string | number> {
  const {kind = '', name = ''} = spec?.scaleTargetRef ?? {};
  return {
    Reference: `${kind}/${name}`,
    Targets: targetsText(spec?.metrics ?? [], status?.currentMetrics ?? []),
    MinPods: isGiven(spec?.minReplicas) ? String(spec.minReplicas) : '<unset>',
    MaxPods: spec?.maxReplicas ?? 0,
    Replicas: status?.currentReplicas ?? 0,
  };
}

function targetsText(metrics: readonly MetricSpec[], states: readonly MetricStatus[]): string {
  if (metrics.length === 0) return '<none>';
  const texts = metrics.map((metric, index) => metricText(metric, states[index]));
  const shown = texts.slice(0, shownMetrics).join(', ');
  return texts.length > shownMetrics ? `${shown} + ${texts.length - shownMetrics} more...` : shown;
}

function metricText({type, external, pods, object, resource, containerResource}: MetricSpec, state: MetricStatus | undefined): string {
  switch (type) {
    case 'External':
      return amountText(external?.target, state?.external?.current);
    case 'Pods':
      return `${state?.pods?.current?.averageValue ?? '<unknown>'}/${pods?.target?.averageValue ?? '0'}`;
    case 'Object':
      return amountText(object?.target, state?.object?.current);
    case 'Resource':
      return shareText(resource?.target, state?.resource?.current);
    case 'ContainerResource':
      return shareText(containerResource?.target, state?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

/** A total value, or an average per pod. */
function amountText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (isGiven(target?.averageValue)) return `${current?.averageValue ?? '<unknown>'}/${target.averageValue} (avg)`;
  return `${current?.value ?? '<unknown>'}/${target?.value ?? '0'}`;
}

/** An average value, or a percentage of the pods' requests. */
function shareText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (isGiven(target?.averageValue)) return `${current?.averageValue ?? '<unknown>'}/${target.averageValue}`;
  const now = isGiven(current?.averageUtilization) ? `${current.averageUtilization}%` : '<unknown>';
  return `${now}/${isGiven(target?.averageUtilization) ? `${target.averageUtilization}%` : '<auto>'}`;
}
