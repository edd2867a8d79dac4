import type {FieldError, FieldPath} from '../../../sdk/index.js';
import {noBacksteps} from '../../shared/fields/file-paths.js';
import {validateText} from '../../shared/fields/text-rules.js';
import {validateCsiDriverName} from '../../shared/names/csi-driver-name.js';
import {storageSources, validateSourceCount, type VolumeSource} from '../../shared/volumes/storage-sources.js';
import type {PersistentVolumeSpec, SecretReference} from './persistent-volume.js';

const secretMembers = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeStageSecretRef',
  'nodeExpandSecretRef',
] as const;

/** Every type of source that a persistent volume can have. */
export const sourceTypes: readonly string[] = [...Object.keys(storageSources), 'csi', 'local'];

/** Faults of where the storage of a volume is. There is exactly one source. */
export function sourceFaults(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const given = sourceTypes.filter((type) => spec[type]);
  const [first] = given;
  const faults = validateSourceCount(given, path);
  return first === undefined ? faults : [...oneSourceFaults(first, spec, path.child(first)), ...faults];
}

function oneSourceFaults(type: string, spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  if (type === 'csi') return csiFaults(spec, path);
  if (type === 'local')
    return [...validateText(spec.local?.path, path.child('path')), ...noBacksteps(path.child('path'), spec.local?.path ?? '')];
  return storageSources[type]?.(spec[type] as VolumeSource, path) ?? [];
}

function csiFaults({csi = {}}: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  return [
    ...validateCsiDriverName(csi.driver, path.child('driver')),
    ...validateText(csi.volumeHandle, path.child('volumeHandle')),
    ...secretMembers.flatMap((member) => secretFaults(csi[member], path.child(member))),
  ];
}

function secretFaults(reference: SecretReference | undefined | null, path: FieldPath): FieldError[] {
  return reference
    ? [...validateText(reference.name, path.child('name')), ...validateText(reference.namespace, path.child('namespace'))]
    : [];
}
