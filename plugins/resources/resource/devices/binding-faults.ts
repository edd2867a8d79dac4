import {duplicate, invalid, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import {validateList} from './findings.js';
import {validateKey} from './names.js';

const maximumConditions = 4;

interface BindingConditions {
  readonly bindingConditions?: readonly string[] | null;
  readonly bindingFailureConditions?: readonly string[] | null;
}

/** Errors in the conditions that a device must have before a pod is bound: there are some of both kinds, or none. */
export function bindingFaults(device: BindingConditions, path: FieldPath): FieldError[] {
  const awaited = device.bindingConditions ?? [];
  const failures = device.bindingFailureConditions ?? [];
  const awaitedPath = path.child('bindingConditions');
  const failuresPath = path.child('bindingFailureConditions');
  const known = new Set(awaited);
  const both = 'bindingFailureConditions must not overlap with bindingConditions';
  return [
    ...validateList(awaited, maximumConditions, awaitedPath, validateKey),
    ...validateList(failures, maximumConditions, failuresPath, validateKey),
    ...repeated(awaited, awaitedPath),
    ...repeated(failures, failuresPath),
    ...failures.flatMap((name, index) => (known.has(name) ? [invalid(failuresPath.index(index), name, both)] : [])),
    ...(awaited.length === 0 && failures.length > 0
      ? [invalid(awaitedPath, device.bindingConditions, 'bindingConditions are required to use bindingFailureConditions')]
      : []),
    ...(failures.length === 0 && awaited.length > 0
      ? [invalid(failuresPath, device.bindingFailureConditions, 'bindingFailureConditions are required to use bindingConditions')]
      : []),
  ];
}

function repeated(names: readonly string[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const isKnown = seen.has(name);
    seen.add(name);
    return isKnown ? [duplicate(path.index(index), name)] : [];
  });
}
