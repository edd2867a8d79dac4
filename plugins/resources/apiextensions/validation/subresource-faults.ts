import {invalid, required, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import type {ScaleSubresource, Subresources} from '../custom-resource-definition.js';

/**
 * Errors in the subresources of a version. As in Kubernetes, what the paths of `scale` lead to is checked in objects, not in the schema:
 * definitions in use have objects where the label selector is expected.
 */
export function subresourceFaults(subresources: Subresources | undefined, path: FieldPath): FieldError[] {
  return subresources?.scale ? scaleFaults(subresources.scale, path.child('scale')) : [];
}

function scaleFaults({specReplicasPath, statusReplicasPath, labelSelectorPath}: ScaleSubresource, path: FieldPath): FieldError[] {
  const faults = [
    ...replicasPathFaults(specReplicasPath, '.spec', path.child('specReplicasPath')),
    ...replicasPathFaults(statusReplicasPath, '.status', path.child('statusReplicasPath')),
  ];
  if (!labelSelectorPath) return faults;
  const at = path.child('labelSelectorPath');
  const form = formFault(labelSelectorPath, at);
  if (form) faults.push(form);
  else if (!labelSelectorPath.startsWith('.spec.') && !labelSelectorPath.startsWith('.status.'))
    faults.push(invalid(at, labelSelectorPath, 'should be a json path under either .spec or .status'));
  return faults;
}

function replicasPathFaults(value: string, parent: string, path: FieldPath): FieldError[] {
  if (value === '') return [required(path)];
  const form = formFault(value, path);
  if (form) return [form];
  return value.startsWith(`${parent}.`) ? [] : [invalid(path, value, `should be a json path under ${parent}`)];
}

/** Kubernetes takes brackets too, as a part of a name: where such a path leads nowhere, there is no scale. */
function formFault(value: string, path: FieldPath): FieldError | undefined {
  return value.startsWith('.') ? undefined : invalid(path, value, 'must be a simple json path starting with .');
}
