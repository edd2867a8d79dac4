import type {Node, PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import type {StorageClass} from '../../../sdk/types/unchecked/storage/v1.js';
import {simulatedDriverSuffix, simulatedPrefix, type BindingKeys} from '../../families/volume-binding/binding-keys.js';

/** The parameter of a class that names the label of nodes within which a volume can be reached. */
const topologyParameter = 'topologyKey';

export interface SimulatedVolumeOptions {
  readonly keys: BindingKeys;
  /** On which the first pod will be; undefined if the volume does not wait for it. */
  readonly node: Node | undefined;
}

/** The name of the volume that is made for a claim. */
export function volumeNameFor({metadata}: PersistentVolumeClaim): string {
  return `pvc-${metadata.uid ?? ''}`;
}

/**
 * A volume that nobody keeps data on: as large as the claim asks for.
 *
 * @throws Error in the words of events if the node is not where volumes of the class may be
 */
export function simulatedVolume(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  options: SimulatedVolumeOptions,
): PersistentVolume {
  const {keys} = options;
  const {name = '', namespace = '', uid = '', resourceVersion} = claim.metadata;
  const {provisioner = '', reclaimPolicy = 'Delete', mountOptions} = storageClass;
  const {accessModes = [], resources, volumeMode = 'Filesystem', volumeAttributesClassName} = claim.spec ?? {};
  const terms = topologyTerms(storageClass, options);
  const driver = `${provisioner.slice(simulatedPrefix.length)}${simulatedDriverSuffix}`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: volumeNameFor(claim),
      annotations: {[keys.boundByController]: 'yes', [keys.provisionedBy]: provisioner},
      ...(reclaimPolicy === 'Delete' ? {finalizers: [keys.finalizer]} : {}),
    },
    spec: {
      accessModes: [...accessModes],
      capacity: {storage: resources?.requests?.['storage'] ?? '0'},
      claimRef: {kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, ...(resourceVersion ? {resourceVersion} : {})},
      csi: {driver, volumeHandle: volumeNameFor(claim)},
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClass.metadata.name!,
      volumeMode,
      ...(mountOptions ? {mountOptions: [...mountOptions]} : {}),
      ...(volumeAttributesClassName ? {volumeAttributesClassName} : {}),
      ...(terms.length > 0 ? {nodeAffinity: {required: {nodeSelectorTerms: terms}}} : {}),
    },
  };
}

interface Requirement {
  readonly key: string;
  readonly operator: 'In';
  readonly values: string[];
}

/** Where the volume can be reached: anywhere, where the class allows it, or near the node. */
function topologyTerms({parameters, allowedTopologies}: StorageClass, {node}: SimulatedVolumeOptions): {matchExpressions: Requirement[]}[] {
  const allowed = (allowedTopologies ?? []).map(({matchLabelExpressions}) =>
    (matchLabelExpressions ?? []).map(({key = '', values}): Requirement => ({key, operator: 'In', values: [...(values ?? [])]})),
  );
  const labels = (node?.metadata.labels ?? {}) as Readonly<Record<string, string>>;
  const isWithin = (requirements: readonly Requirement[]) => requirements.every(({key, values}) => values.includes(labels[key] ?? ''));
  const fitting = node ? allowed.filter(isWithin) : allowed;
  if (node && allowed.length > 0 && fitting.length === 0)
    throw new Error(`node ${JSON.stringify(node.metadata.name ?? '')} is outside of the allowed topologies`);
  const key = parameters?.[topologyParameter];
  const value = key === undefined ? undefined : labels[key];
  const near: Requirement[] = key !== undefined && value !== undefined ? [{key, operator: 'In', values: [value]}] : [];
  if (fitting.length === 0) return near.length > 0 ? [{matchExpressions: near}] : [];
  return fitting.map((requirements) => ({
    matchExpressions: [...requirements.filter((each) => each.key !== key || near.length === 0), ...near],
  }));
}
