import {
  dataKeyFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  environmentNameFaults,
  FieldPath,
  invalid,
  notFoundField,
  required,
  type FieldError,
} from '../../../sdk/index.js';
import {invalidFor, noBacksteps, validateOptionalText, validateText, type TextRule} from '../../../sdk/validation/index.js';
import type {ConfigMapKeySelector, EnvFromSource, EnvVar, FileKeySelector, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {allContainers} from './all-containers.js';
import {validateObjectField, validateResourceField} from './field-references.js';
import {mayUse, type PodRules} from './pod-rules.js';

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
const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

/** Errors in a container's environment variables. */
export function validateEnvironment(variables: readonly EnvVar[] | undefined, path: FieldPath, rules: PodRules): FieldError[] {
  const nameFaults = nameRule(rules);
  return (variables ?? []).flatMap((variable, index) => [
    ...validateText(variable.name, path.index(index).child('name'), nameFaults),
    ...validateValueFrom(variable, path.index(index).child('valueFrom'), rules),
  ]);
}

function validateValueFrom({value, valueFrom}: EnvVar, path: FieldPath, rules: PodRules): FieldError[] {
  if (!valueFrom) return [];
  const faults: FieldError[] = [];
  const {fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef} = valueFrom;
  if (fieldRef) faults.push(...validateObjectField(fieldRef, fieldsOf(rules), path.child('fieldRef')));
  if (resourceFieldRef) faults.push(...validateResourceField(resourceFieldRef, false, path.child('resourceFieldRef')));
  if (configMapKeyRef) faults.push(...validateKey(configMapKeyRef, path.child('configMapKeyRef')));
  if (secretKeyRef) faults.push(...validateKey(secretKeyRef, path.child('secretKeyRef')));
  if (fileKeyRef) faults.push(...validateFileKey(fileKeyRef, path.child('fileKeyRef')));
  const given = sources.filter((source) => valueFrom[source]).length;
  if (given === 0) {
    const last = mayUse(rules, 'EnvFiles', readsFiles)
      ? '`configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
      : '`configMapKeyRef` or `secretKeyRef`';
    faults.push(invalid(path, '', `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, ${last}`));
  } else if (value) faults.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (given > 1) faults.push(invalid(path, '', 'may not have more than one field specified at a time'));
  return faults;
}

/** A missing name is reported as invalid here, not as required, as in Kubernetes. */
function validateKey({name = '', key}: ConfigMapKeySelector, path: FieldPath): FieldError[] {
  return [...invalidFor(path.child('name'), name, dnsSubdomainFaults(name)), ...validateText(key, path.child('key'), dataKeyFaults)];
}

/** Errors in the config maps and secrets that become environment variables as a whole. */
export function validateEnvironmentSources(given: readonly EnvFromSource[] | undefined, path: FieldPath, rules: PodRules): FieldError[] {
  const nameFaults = nameRule(rules);
  return (given ?? []).flatMap(({prefix, configMapRef, secretRef}, index) => {
    const at = path.index(index);
    const faults = validateOptionalText(prefix, at.child('prefix'), nameFaults);
    if (configMapRef) faults.push(...validateText(configMapRef.name, at.child('configMapRef', 'name'), dnsSubdomainFaults));
    if (secretRef) faults.push(...validateText(secretRef.name, at.child('secretRef', 'name'), dnsSubdomainFaults));
    if (!configMapRef && !secretRef) faults.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (configMapRef && secretRef) faults.push(invalid(path, '', 'may not have more than one field specified at a time'));
    return faults;
  });
}

/** A file's variable, read from a volume when the container starts. */
function validateFileKey({key, volumeName, path: file}: FileKeySelector, path: FieldPath): FieldError[] {
  return [
    ...validateText(key, path.child('key'), relaxedNameFaults),
    ...validateText(volumeName, path.child('volumeName'), dnsLabelFaults),
    ...(file ? noBacksteps(path.child('path'), file) : [required(path.child('path'))]),
  ];
}

/** Errors in the volumes of which containers read variables: they are empty at first, and an init container writes them. */
export function validateFileVolumes(spec: PodSpec, path: FieldPath): FieldError[] {
  return allContainers(spec, path).flatMap(({container, at}) =>
    (container.env ?? []).flatMap(({valueFrom}, index) => {
      if (!valueFrom?.fileKeyRef) return [];
      const name = valueFrom.fileKeyRef.volumeName ?? '';
      const place = at.child('env').index(index).child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = (spec.volumes ?? []).findLast((one) => one.name === name);
      if (!volume) return [notFoundField(place, name)];
      return volume.emptyDir ? [] : [invalid(place, name, 'referenced volume must be of type emptyDir')];
    }),
  );
}

function readsFiles(spec: PodSpec): boolean {
  return allContainers(spec, FieldPath.root).some(({container: {env}}) => env?.some(({valueFrom}) => valueFrom?.fileKeyRef));
}

/** The addresses of the node came after the first one. */
function fieldsOf({gates}: PodRules): readonly string[] {
  return gates.enabled('PodHostIPs') ? [...objectFields, 'status.hostIPs'] : objectFields;
}

/** How variables may be named: strictly, unless the feature is on or the stored pod has such names. */
function nameRule(rules: PodRules): TextRule {
  return mayUse(rules, 'RelaxedEnvironmentVariableValidation', hasRelaxedNames) ? relaxedNameFaults : environmentNameFaults;
}

function hasRelaxedNames(spec: PodSpec): boolean {
  return allContainers(spec, FieldPath.root)
    .flatMap(({container: {env, envFrom}}) => [...(env ?? []).map(({name}) => name), ...(envFrom ?? []).map(({prefix}) => prefix)])
    .some((name) => name && environmentNameFaults(name).length > 0 && relaxedNameFaults(name).length === 0);
}

function relaxedNameFaults(name: string): string[] {
  return /^[ -<>-~]+$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}
