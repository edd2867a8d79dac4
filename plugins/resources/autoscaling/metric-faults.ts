import {
  dnsLabelFaults,
  forbiddenField,
  invalid,
  notSupported,
  quantityAmount,
  required,
  type FieldError,
  type FieldPath,
  type NamingProfile,
} from '../../../sdk/index.js';
import {invalidFor, isGiven, pathSegmentFaults, validateText} from '../../../sdk/validation/index.js';
import type {CrossVersionObjectReference, MetricIdentifier, MetricSpec, MetricTarget} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import {containerResourceNameFaults} from '../../families/pods/resource-names.js';

const metricTypes = ['Object', 'Pods', 'Resource', 'External', 'ContainerResource'];
const targetTypes = ['Utilization', 'Value', 'AverageValue'];
/** Members for the sources of a metric, in the order in which they are checked, with the corresponding type. */
const sources = [
  ['object', 'Object'],
  ['external', 'External'],
  ['pods', 'Pods'],
  ['resource', 'Resource'],
  ['containerResource', 'ContainerResource'],
] as const;

export interface MetricOptions {
  /** Whether metrics of single containers are allowed. */
  readonly containerMetrics: boolean;
  /** What the version of an object that is measured has to be. */
  readonly objectVersion: VersionRule;
  readonly naming: NamingProfile;
}

/** Errors in the metrics of an autoscaler. Scaling to zero requires a metric that does not come from the pods. */
export function validateMetrics(
  metrics: readonly MetricSpec[],
  minReplicas: number | null | undefined,
  options: MetricOptions,
  path: FieldPath,
): FieldError[] {
  const faults = metrics.flatMap((metric, index) => validateMetric(metric, options, path.index(index)));
  if (minReplicas === 0 && !metrics.some(({type}) => type === 'Object' || type === 'External')) {
    faults.push(forbiddenField(path, 'must specify at least one Object or External metric to support scaling to zero replicas'));
  }
  return faults;
}

function validateMetric(metric: MetricSpec, options: MetricOptions, path: FieldPath): FieldError[] {
  const {type = ''} = metric;
  const faults: FieldError[] = [];
  if (type === '') faults.push(required(path.child('type'), 'must specify a metric source type'));
  if (!metricTypes.includes(type)) faults.push(notSupported(path.child('type'), type, metricTypes));
  const present = sources.filter(([member]) => isGiven(metric[member]));
  if (present[0]) faults.push(...validateSource(metric, present[0][0], path.child(present[0][0]), options));
  const expected = sources.find(([, name]) => name === type)?.[0];
  if (expected && !isGiven(metric[expected])) {
    const gated =
      expected === 'containerResource' && !options.containerMetrics ? ' (only allowed when HPAContainerMetrics feature is enabled)' : '';
    faults.push(required(path.child(expected), `must populate information for the given metric source${gated}`));
  }
  if (present.length !== 1) {
    for (const [member] of present)
      if (member !== expected) faults.push(forbiddenField(path.child(member), 'must populate the given metric source only'));
  }
  return faults;
}

function validateSource(metric: MetricSpec, member: (typeof sources)[number][0], path: FieldPath, options: MetricOptions): FieldError[] {
  switch (member) {
    case 'object':
      return validateObjectSource(metric.object!, path, options.objectVersion);
    case 'external':
      return validateExternalSource(metric.external!, path);
    case 'pods':
      return validatePodsSource(metric.pods!, path);
    case 'resource':
      return validateResourceSource(metric.resource!, path);
    case 'containerResource':
      return validateContainerResourceSource(metric.containerResource!, path, options);
  }
}

function validateObjectSource(
  {describedObject = {}, metric = {}, target = {}}: NonNullable<MetricSpec['object']>,
  path: FieldPath,
  version: VersionRule,
): FieldError[] {
  const faults = [
    ...validateTargetReference(describedObject, path.child('describedObject'), version),
    ...validateIdentifier(metric, path.child('metric')),
    ...validateTarget(target, path.child('target')),
  ];
  if (!isGiven(target.value) && !isGiven(target.averageValue))
    faults.push(required(path.child('target', 'averageValue'), 'must set either a target value or averageValue'));
  return faults;
}

function validateExternalSource({metric = {}, target = {}}: NonNullable<MetricSpec['external']>, path: FieldPath): FieldError[] {
  const faults = [...validateIdentifier(metric, path.child('metric')), ...validateTarget(target, path.child('target'))];
  if (!isGiven(target.value) && !isGiven(target.averageValue))
    faults.push(required(path.child('target', 'averageValue'), 'must set either a target value for metric or a per-pod target'));
  if (isGiven(target.value) && isGiven(target.averageValue)) {
    faults.push(forbiddenField(path.child('target', 'value'), 'may not set both a target value for metric and a per-pod target'));
  }
  return faults;
}

function validatePodsSource({metric = {}, target = {}}: NonNullable<MetricSpec['pods']>, path: FieldPath): FieldError[] {
  const faults = [...validateIdentifier(metric, path.child('metric')), ...validateTarget(target, path.child('target'))];
  if (quantityAmount(target.averageValue) <= 0n)
    faults.push(required(path.child('target', 'averageValue'), 'must specify a positive target averageValue'));
  return faults;
}

function validateContainerResourceSource(
  source: NonNullable<MetricSpec['containerResource']>,
  path: FieldPath,
  {naming}: MetricOptions,
): FieldError[] {
  const {container, name} = source;
  return [
    ...(name ? invalidFor(path.child('name'), name, containerResourceNameFaults(name, naming)) : []),
    ...validateText(container, path.child('container'), dnsLabelFaults, 'must specify a container'),
    ...validateResourceSource(source, path),
  ];
}

function validateResourceSource({name = '', target = {}}: NonNullable<MetricSpec['resource']>, path: FieldPath): FieldError[] {
  const faults = name === '' ? [required(path.child('name'), 'must specify a resource name')] : [];
  faults.push(...validateTarget(target, path.child('target')));
  const {averageUtilization, averageValue} = target;
  if (!isGiven(averageUtilization) && !isGiven(averageValue)) {
    faults.push(required(path.child('target', 'averageUtilization'), 'must set either a target raw value or a target utilization'));
  }
  if (isGiven(averageUtilization) && isGiven(averageValue)) {
    faults.push(forbiddenField(path.child('target', 'averageValue'), 'may not set both a target raw value and a target utilization'));
  }
  return faults;
}

function validateTarget({type = '', value, averageValue, averageUtilization}: MetricTarget, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (type === '') faults.push(required(path.child('type'), 'must specify a metric target type'));
  if (!targetTypes.includes(type)) faults.push(invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue'));
  for (const [member, amount] of Object.entries({value, averageValue})) {
    if (isGiven(amount) && quantityAmount(amount) <= 0n) faults.push(invalid(path.child(member), amount, 'must be positive'));
  }
  if (isGiven(averageUtilization) && averageUtilization < 1) {
    faults.push(invalid(path.child('averageUtilization'), averageUtilization, 'must be greater than 0'));
  }
  return faults;
}

function validateIdentifier({name = ''}: MetricIdentifier, path: FieldPath): FieldError[] {
  return segmentFaults(name, path.child('name'), 'must specify a metric name');
}

/** Errors in a reference to the object that is scaled or measured. */
export function validateTargetReference(
  {kind = '', name = '', apiVersion = ''}: CrossVersionObjectReference,
  path: FieldPath,
  version: VersionRule = 'any',
): FieldError[] {
  return [
    ...segmentFaults(kind, path.child('kind'), ''),
    ...segmentFaults(name, path.child('name'), ''),
    ...versionFaults(apiVersion, version).map((detail) => invalid(path.child('apiVersion'), apiVersion, detail)),
  ];
}

/** What the version of a reference has to be: anything, a version of any group, one of another group than the core. */
export type VersionRule = 'any' | 'version' | 'grouped';

/** Errors in the group and version of a reference. */
export function versionFaults(apiVersion: string, rule: VersionRule): string[] {
  if (rule === 'any') return [];
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [`unexpected GroupVersion string: ${apiVersion}`];
  return rule === 'grouped' && (parts.length < 2 || parts[0] === '') ? ['apiVersion must specify API group'] : [];
}

function segmentFaults(text: string, path: FieldPath, requiredDetail: string): FieldError[] {
  if (text === '') return [required(path, requiredDetail)];
  return pathSegmentFaults(text).map((detail) => invalid(path, text, detail));
}
