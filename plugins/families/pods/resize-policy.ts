import {duplicate, invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {Container, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {mayUse, type PodRules} from './pod-rules.js';
import {isSidecar} from './restart-policy.js';

/** Errors in what a container does when its resources change while it runs. */
export function validateResizePolicy({resizePolicy}: Container, {restartPolicy: ofPod}: PodSpec, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return (resizePolicy ?? []).flatMap(({resourceName = '', restartPolicy = ''}, index) => {
    const faults = seen.has(resourceName) ? [duplicate(path.index(index), resourceName)] : [];
    seen.add(resourceName);
    faults.push(...choice(resourceName, ['cpu', 'memory'], path), ...choice(restartPolicy, ['NotRequired', 'RestartContainer'], path));
    if (ofPod === 'Never' && restartPolicy !== 'NotRequired')
      faults.push(invalid(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    return faults;
  });
}

/** Errors in the resize policies of an init container: one that ends before the others start is not restarted for it. */
export function validateInitResizePolicy(container: Container, path: FieldPath, rules: PodRules): FieldError[] {
  const policies = container.resizePolicy ?? [];
  const at = path.child('resizePolicy');
  const isAllowed = mayUse(rules, 'InPlacePodVerticalScaling', ({initContainers}) =>
    Boolean(initContainers?.some((other) => isSidecar(other) && other.resizePolicy?.length)),
  );
  const faults = isAllowed || policies.length === 0 ? [] : [invalid(at, policies, 'must not be set for init containers')];
  if (isSidecar(container) || rules.stored?.initContainers?.some((other) => !isSidecar(other) && other.resizePolicy?.some(isRestart)))
    return faults;
  return [
    ...faults,
    ...policies.flatMap((policy, index) =>
      isRestart(policy)
        ? [
            invalid(
              at.index(index).child('restartPolicy'),
              policy.restartPolicy,
              "must not be set to 'RestartContainer' for non-sidecar initContainers",
            ),
          ]
        : [],
    ),
  ];
}

function isRestart({restartPolicy}: {restartPolicy?: string}): boolean {
  return restartPolicy === 'RestartContainer';
}

/** Missing values are reported at the list, as in Kubernetes. */
function choice(value: string, supported: readonly string[], path: FieldPath): FieldError[] {
  return value === '' ? [required(path)] : validateOptionalOneOf(value, supported, path);
}
