import {required, type FieldError, type FieldPath, type NamingProfile} from '../../../sdk/index.js';
import {noBacksteps, validateText} from '../../../sdk/validation/index.js';
import type {PersistentVolumeSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {csiSourceFaults} from '../../families/volumes/csi-source.js';
import {referenceOf} from '../../families/volumes/source-members.js';
import {persistentSources, validateSourceCount} from '../../families/volumes/storage-sources.js';

const flexVolume = 'flexVolume';

/** All source types of persistent volumes, in the order in which Kubernetes looks for them: of several, the first one counts. */
export const sourceTypes: readonly string[] = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];

/** Errors in the source of a volume. There must be exactly one; a driver of a FlexVolume may stand beside another, as in Kubernetes. */
export function sourceFaults(name: string, spec: PersistentVolumeSpec, path: FieldPath, naming: NamingProfile): FieldError[] {
  const given = sourceTypes.filter((type) => referenceOf(spec, type));
  const [first] = given;
  const counted = given.filter((type) => type === first || type !== flexVolume);
  return [
    ...given.flatMap((type) => (type === first || type === flexVolume ? oneSourceFaults(type, name, spec, path, naming) : [])),
    ...validateSourceCount(counted, path),
  ];
}

function oneSourceFaults(type: string, name: string, spec: PersistentVolumeSpec, path: FieldPath, naming: NamingProfile): FieldError[] {
  const at = path.child(type);
  if (type === 'csi') return csiSourceFaults(spec.csi ?? {}, at);
  if (type === 'local') return localFaults(spec, path);
  return persistentSources[type]?.(referenceOf(spec, type) ?? {}, at, {naming, volumeName: name, volumePath: path}) ?? [];
}

/** A local disk requires the node to be named. */
function localFaults({local, nodeAffinity}: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const at = path.child('local', 'path');
  return [
    ...validateText(local?.path, at),
    ...noBacksteps(at, local?.path ?? ''),
    ...(nodeAffinity ? [] : [required(path.child('nodeAffinity'), 'Local volume requires node affinity')]),
  ];
}
