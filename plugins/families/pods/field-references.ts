import {invalid, notSupported, qualifiedNameFaults, quantityAmount, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import type {ObjectFieldSelector, ResourceFieldSelector} from '../../../sdk/types/unchecked/core/v1.js';

/** All pod fields that references can name; each use allows some of them. */
const knownFields = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);
/** Known where it is allowed: earlier releases have not heard of it. */
const hostAddresses = 'status.hostIPs';
const containerResources = ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [`limits.${name}`, `requests.${name}`]);
const byteUnits = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei';

/** Errors in a reference to a field of the pod, such as `metadata.labels['app']`. */
export function validateObjectField(
  {apiVersion, fieldPath}: ObjectFieldSelector,
  allowed: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (!apiVersion) return [required(path.child('apiVersion'))];
  if (!fieldPath) return [required(path.child('fieldPath'))];
  const {field, key} = splitSubscript(fieldPath);
  if (apiVersion !== 'v1')
    return [invalid(path.child('fieldPath'), fieldPath, `error converting fieldPath: unsupported pod version: ${apiVersion}`)];
  if (!knownFields.has(field) || (field === hostAddresses && !allowed.includes(field)))
    return [invalid(path.child('fieldPath'), fieldPath, `error converting fieldPath: field label not supported: ${field}`)];
  if (key === undefined) return allowed.includes(field) ? [] : [notSupported(path.child('fieldPath'), field, allowed)];
  if (field === 'metadata.annotations') return invalidFor(path, key, qualifiedNameFaults(key.toLowerCase()));
  if (field === 'metadata.labels') return invalidFor(path, key, qualifiedNameFaults(key));
  return [invalid(path, field, 'does not support subscript')];
}

function splitSubscript(text: string): {field: string; key?: string} {
  const start = text.indexOf("['");
  if (start <= 0 || !text.endsWith("']")) return {field: text};
  return {field: text.slice(0, start), key: text.slice(start + 2, -2)};
}

/**
 * Errors in a reference to a limit or request of a container.
 *
 * @param inVolume in a volume the container must be named; an environment variable refers to its own
 */
export function validateResourceField(
  {containerName, resource, divisor}: ResourceFieldSelector,
  inVolume: boolean,
  path: FieldPath,
): FieldError[] {
  if (inVolume && !containerName) return [required(path.child('containerName'))];
  if (!resource) return [required(path.child('resource'))];
  const known = containerResources.includes(resource) || /^(?:limits|requests)\.hugepages-/.test(resource);
  const faults = known ? [] : [notSupported(path.child('resource'), resource, containerResources)];
  return [...faults, ...validateDivisor(resource, divisor, path.child('divisor'))];
}

function validateDivisor(resource: string, divisor: string | undefined, path: FieldPath): FieldError[] {
  if (quantityAmount(divisor) === 0n) return [];
  const name = resource.slice(resource.indexOf('.') + 1);
  const isCpu = name === 'cpu';
  const allowed = isCpu ? '1m, 1' : byteUnits;
  if (allowed.split(', ').some((unit) => quantityAmount(unit) === quantityAmount(divisor))) return [];
  const what = name === 'ephemeral-storage' ? 'local ephemeral storage' : name.startsWith('hugepages-') ? 'hugepages' : name;
  return [invalid(path, resource, `only divisor's values ${isCpu ? '1m and 1' : byteUnits} are supported with the ${what} resource`)];
}
