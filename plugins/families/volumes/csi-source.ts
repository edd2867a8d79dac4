import {dnsLabelFaults, dnsSubdomainFaults, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateText} from '../../../sdk/validation/index.js';
import type {CSIPersistentVolumeSource, SecretReference} from '../../../sdk/types/unchecked/core/v1.js';
import {validateCsiDriverName} from './csi-driver-name.js';

/** As in Kubernetes, the secret for staging is not checked. */
const secretMembers = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const;

/** Errors in a CSI volume source. */
export function csiSourceFaults(csi: CSIPersistentVolumeSource, path: FieldPath): FieldError[] {
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
