import {dataKeyFaults, dnsSubdomainFaults, environmentNameFaults, invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {invalidFor, validateOptionalText, validateText} from '../../../sdk/validation/index.js';
import type {ConfigMapKeySelector, EnvFromSource, EnvVar} from '../../../sdk/types/unchecked/core/v1.js';
import {validateObjectField, validateResourceField} from './field-references.js';

/** Pod fields allowed in an environment variable, besides single labels and annotations. */
const objectFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
];
const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'] as const;

/** Errors in a container's environment variables. */
export function validateEnvironment(variables: readonly EnvVar[] | undefined, path: FieldPath): FieldError[] {
  return (variables ?? []).flatMap((variable, index) => [
    ...validateText(variable.name, path.index(index).child('name'), environmentNameFaults),
    ...validateValueFrom(variable, path.index(index).child('valueFrom')),
  ]);
}

function validateValueFrom({value, valueFrom}: EnvVar, path: FieldPath): FieldError[] {
  if (!valueFrom) return [];
  const faults: FieldError[] = [];
  const {fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef} = valueFrom;
  if (fieldRef) faults.push(...validateObjectField(fieldRef, objectFields, path.child('fieldRef')));
  if (resourceFieldRef) faults.push(...validateResourceField(resourceFieldRef, false, path.child('resourceFieldRef')));
  if (configMapKeyRef) faults.push(...validateKey(configMapKeyRef, path.child('configMapKeyRef')));
  if (secretKeyRef) faults.push(...validateKey(secretKeyRef, path.child('secretKeyRef')));
  const given = sources.filter((source) => valueFrom[source]).length;
  if (given === 0)
    faults.push(invalid(path, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'));
  else if (value) faults.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (given > 1) faults.push(invalid(path, '', 'may not have more than one field specified at a time'));
  return faults;
}

/** A missing name is reported as invalid here, not as required, as in Kubernetes. */
function validateKey({name = '', key}: ConfigMapKeySelector, path: FieldPath): FieldError[] {
  return [...invalidFor(path.child('name'), name, dnsSubdomainFaults(name)), ...validateText(key, path.child('key'), dataKeyFaults)];
}

/** Errors in the config maps and secrets that become environment variables as a whole. */
export function validateEnvironmentSources(given: readonly EnvFromSource[] | undefined, path: FieldPath): FieldError[] {
  return (given ?? []).flatMap(({prefix, configMapRef, secretRef}, index) => {
    const at = path.index(index);
    const faults = validateOptionalText(prefix, at.child('prefix'), environmentNameFaults);
    if (configMapRef) faults.push(...validateText(configMapRef.name, at.child('configMapRef', 'name'), dnsSubdomainFaults));
    if (secretRef) faults.push(...validateText(secretRef.name, at.child('secretRef', 'name'), dnsSubdomainFaults));
    if (!configMapRef && !secretRef) faults.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (configMapRef && secretRef) faults.push(invalid(path, '', 'may not have more than one field specified at a time'));
    return faults;
  });
}
