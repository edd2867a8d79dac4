import {forbiddenField, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {PersistentVolumeSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {csiSourceFaults} from '../../families/volumes/csi-source.js';

const context = 'in the context of inline volumes';

/** Fields of a volume that are not sources. */
const notSources = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
]);

/** Errors in a volume described inside an attachment: a CSI volume without a claim or class. */
export function inlineVolumeFaults(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const refuse = (member: string, detail = `may not be specified ${context}`) => faults.push(forbiddenField(path.child(member), detail));
  if (spec.claimRef) refuse('claimRef');
  if (Object.keys(spec.capacity ?? {}).length > 0) refuse('capacity');
  if (!spec.accessModes || spec.accessModes.length === 0) faults.push(required(path.child('accessModes')));
  if (spec.nodeAffinity) refuse('nodeAffinity');
  if (spec.storageClassName) refuse('storageClassName');
  const {persistentVolumeReclaimPolicy: policy, volumeMode} = spec;
  if (policy && policy !== 'Retain') refuse('persistentVolumeReclaimPolicy', `may only be Retain ${context}`);
  if (volumeMode && volumeMode !== 'Filesystem') refuse('volumeMode', `may not specify volumeMode other than Filesystem ${context}`);
  return [...faults, ...sourceFaults(spec, path)];
}

function sourceFaults(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (spec.csi) {
    const csiPath = path.child('csi');
    faults.push(...csiSourceFaults(spec.csi, csiPath));
  } else {
    faults.push(required(path.child('csi'), `has to be specified ${context}`));
  }
  for (const [member, value] of Object.entries(spec)) {
    if (member === 'csi' || notSources.has(member) || value === undefined || value === null) continue;
    faults.push(
      forbiddenField(path.child(member), spec.csi ? 'may not specify more than 1 volume type' : `may not be specified ${context}`),
    );
  }
  return faults;
}
