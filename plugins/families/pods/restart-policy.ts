import {forbiddenField, notSupported, required, tooMany, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {Container, ContainerRestartRule, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {mayUse, type PodRules} from './pod-rules.js';

const policies = ['Always', 'Never', 'OnFailure'];
const maximumRules = 20;
const maximumExitCodes = 255;
const restartAll = 'RestartAllContainers';

/** Whether an init container keeps running beside the containers of its pod, and is restarted. */
export function isSidecar({restartPolicy}: Container): boolean {
  return restartPolicy === 'Always';
}

/** Errors in how a container of a pod is restarted: without the feature the pod alone decides. */
export function validateRestartPolicy(container: Container, path: FieldPath, rules: PodRules): FieldError[] {
  if (mayUseRules(rules)) return validatePolicyAndRules(container, path, rules);
  return isGivenPolicy(container) ? [forbiddenField(path.child('restartPolicy'), 'may not be set for non-init containers')] : [];
}

/** Errors in how an init container is restarted. */
export function validateInitRestartPolicy(container: Container, path: FieldPath, rules: PodRules): FieldError[] {
  const {restartPolicy, restartPolicyRules} = container;
  if (!isGivenPolicy(container)) return restartPolicyRules?.length ? [missingPolicy(path)] : [];
  if (!mayUseRules(rules)) return validateOptionalOneOf(restartPolicy, ['Always'], path.child('restartPolicy'));
  if (!isSidecar(container) || mayRestartAll(rules)) return validatePolicyAndRules(container, path, rules);
  const detail = 'restartPolicyRules are not allowed for init containers with restart policy Always';
  return restartPolicyRules?.length ? [forbiddenField(path.child('restartPolicyRules'), detail)] : [];
}

function validatePolicyAndRules(container: Container, path: FieldPath, rules: PodRules): FieldError[] {
  const given = container.restartPolicyRules ?? [];
  const faults: FieldError[] = [];
  if (isGivenPolicy(container)) faults.push(...validateOptionalOneOf(container.restartPolicy, policies, path.child('restartPolicy')));
  else if (given.length > 0) faults.push(missingPolicy(path));
  const rulesPath = path.child('restartPolicyRules');
  if (given.length > maximumRules) faults.push(tooMany(rulesPath, given.length, maximumRules));
  const actions = mayRestartAll(rules) ? ['Restart', restartAll] : ['Restart'];
  return [...faults, ...given.flatMap((rule, index) => validateRule(rule, rulesPath.index(index), actions))];
}

function validateRule({action = '', exitCodes}: ContainerRestartRule, path: FieldPath, actions: readonly string[]): FieldError[] {
  const faults = actions.includes(action) ? [] : [notSupported(path.child('action'), action, actions)];
  if (!exitCodes) return [...faults, required(path.child('exitCodes'), 'must be specified')];
  const at = path.child('exitCodes');
  const count = exitCodes.values?.length ?? 0;
  const operators = ['In', 'NotIn'];
  const {operator = ''} = exitCodes;
  if (!operators.includes(operator)) faults.push(notSupported(at.child('operator'), operator, operators));
  return count > maximumExitCodes ? [...faults, tooMany(at.child('values'), count, maximumExitCodes)] : faults;
}

function missingPolicy(path: FieldPath): FieldError {
  return required(path.child('restartPolicy'), 'must specify restartPolicy when restart rules are used');
}

function isGivenPolicy({restartPolicy}: Container): boolean {
  return restartPolicy !== undefined && restartPolicy !== null;
}

function mayUseRules(rules: PodRules): boolean {
  return mayUse(
    rules,
    'ContainerRestartRules',
    (spec) =>
      containersOf(spec).some(({restartPolicyRules}) => restartPolicyRules?.length) || Boolean(spec.containers?.some(isGivenPolicy)),
  );
}

function mayRestartAll(rules: PodRules): boolean {
  return mayUse(rules, 'RestartAllContainersOnContainerExits', restartsAllContainers);
}

/** Whether the exit of one container may restart all of its pod. */
export function restartsAllContainers(spec: PodSpec): boolean {
  return containersOf(spec).some(({restartPolicyRules}) => restartPolicyRules?.some(({action}) => action === restartAll));
}

function containersOf({containers, initContainers}: PodSpec): Container[] {
  return [...(containers ?? []), ...(initContainers ?? [])];
}

/**
 * Whether containers of a pod run again after they have exited: what matches first decides, their rules, their own policy, the pod's.
 *
 * @param containers those of the same kind as the container that exited
 */
export function restarts(
  {restartPolicy: ofPod = 'Always'}: PodSpec,
  containers: readonly Container[] | undefined | null,
): (name: string | undefined, exitCode: number) => boolean {
  return (name, exitCode) => {
    const container = containers?.find((one) => one.name === name);
    const own = container?.restartPolicy;
    if (own && container.restartPolicyRules?.some((rule) => isMatch(rule, exitCode))) return true;
    const policy = own || ofPod;
    return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
  };
}

function isMatch({exitCodes}: ContainerRestartRule, exitCode: number): boolean {
  if (!exitCodes) return false;
  const isListed = exitCodes.values?.includes(exitCode) ?? false;
  return exitCodes.operator === 'In' ? isListed : exitCodes.operator === 'NotIn' && !isListed;
}
