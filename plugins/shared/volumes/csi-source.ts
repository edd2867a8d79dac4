import {dnsLabelFaults, dnsSubdomainFaults, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateText} from '../fields/text-rules.js';
import {validateCsiDriverName} from '../names/csi-driver-name.js';

/** Where the storage of a persistent volume is when a CSI driver has it. */
export interface CsiVolume {
  driver?: string;
  volumeHandle?: string;
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
}

export interface SecretReference {
  name?: string;
  namespace?: string;
}

/** The secret for staging is not looked at, as in Kubernetes. */
const secretMembers = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const;

/** Faults of a volume of a CSI driver. */
export function csiSourceFaults(csi: CsiVolume, path: FieldPath): FieldError[] {
  return [
    ...validateCsiDriverName(csi.driver, path.child('driver')),
    ...validateText(csi.volumeHandle, path.child('volumeHandle')),
    ...secretMembers.flatMap((member) => secretFaults(csi[member], path.child(member))),
  ];
}

function secretFaults(reference: SecretReference | undefined | null, path: FieldPath): FieldError[] {
  if (!reference) return [];
  return [
    ...validateText(reference.name, path.child('name'), dnsSubdomainFaults),
    ...validateText(reference.namespace, path.child('namespace'), dnsLabelFaults),
  ];
}
