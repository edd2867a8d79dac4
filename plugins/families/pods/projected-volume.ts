import {forbiddenField, invalid, type FieldError, type FieldPath, type NamingProfile} from '../../../sdk/index.js';
import {fileMode, relativeFilePath, validateText} from '../../../sdk/validation/index.js';
import type {KeyToPath, VolumeProjection} from '../../../sdk/types/unchecked/core/v1.js';
import {validateDownwardApiFile} from './downward-api-file.js';
import {validateItems} from './key-to-path.js';
import {validateCertificates} from './projected-certificates.js';

const types = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'] as const;
const minimumTokenSeconds = 600;
const maximumTokenSeconds = 2 ** 32;

/** Errors in a projected volume: no two of its sources may write the same file. A source may be empty. */
export function validateProjected(
  sources: readonly VolumeProjection[],
  defaultMode: number | undefined,
  path: FieldPath,
  naming: NamingProfile,
): FieldError[] {
  const files = new Set<string>();
  const faults = fileMode(defaultMode, path.child('defaultMode'));
  for (const [index, source] of sources.entries()) {
    const at = path.child('sources').index(index);
    const given = types.filter((type) => source[type]);
    if (given.length > 1) faults.push(forbiddenField(at, 'may not specify more than 1 volume type per source'));
    faults.push(...validateSource(source, at), ...validateCertificates(source, at, naming));
    for (const file of filesOf(source)) {
      if (files.has(file)) faults.push(invalid(path, file, 'conflicting duplicate paths'));
      files.add(file);
    }
  }
  return faults;
}

function validateSource({secret, configMap, downwardAPI, serviceAccountToken: token}: VolumeProjection, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (secret) faults.push(...validateKeyed(secret, path.child('secret')));
  if (configMap) faults.push(...validateKeyed(configMap, path.child('configMap')));
  for (const file of downwardAPI?.items ?? []) faults.push(...validateDownwardApiFile(file, path.child('downwardAPI')));
  if (!token) return faults;
  const at = path.child('serviceAccountToken');
  const seconds = token.expirationSeconds ?? 0;
  if (seconds < minimumTokenSeconds)
    faults.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > maximumTokenSeconds)
    faults.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration larger than 2^32 seconds'));
  return [...faults, ...validateText(token.path, at.child('path')), ...relativeFilePath(at.child('path'), token.path ?? '')];
}

function validateKeyed({name, items}: {name?: string; items?: KeyToPath[]}, path: FieldPath): FieldError[] {
  return [...validateText(name, path.child('name')), ...validateItems(items, path.child('items'))];
}

function filesOf({secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate}: VolumeProjection): string[] {
  const items = [
    ...(secret?.items ?? []),
    ...(configMap?.items ?? []),
    ...(downwardAPI?.items ?? []),
    ...(serviceAccountToken ? [serviceAccountToken] : []),
    ...(clusterTrustBundle ? [clusterTrustBundle] : []),
  ];
  const {credentialBundlePath, keyPath, certificateChainPath} = podCertificate ?? {};
  return [...items.map(({path}) => path), credentialBundlePath, keyPath, certificateChainPath]
    .map((path) => path ?? '')
    .filter((path) => path !== '');
}
