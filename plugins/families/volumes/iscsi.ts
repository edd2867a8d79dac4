import {invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateRange} from '../../../sdk/validation/index.js';
import {numberOf, textOf, texts, type VolumeSource} from './source-members.js';

/** The three kinds of names that iSCSI has, by how they start. */
const nameForms: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};
const longestInterface = 64;

/** What is said of a volume and a portal whose names together are too long for an interface that is named after both. */
export const interfaceTooLong =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** Faults of an iSCSI target. @param startDetail what is said of a name that is of none of the three kinds */
export function iscsiFaults(source: VolumeSource, path: FieldPath, startDetail: string): FieldError[] {
  const initiator = textOf(source, 'initiatorName');
  const iqn = textOf(source, 'iqn') ?? '';
  const faults = texts(source, path, 'targetPortal', 'iqn');
  if (iqn !== '') faults.push(...nameFaults(iqn, path.child('iqn'), startDetail));
  faults.push(...validateRange(numberOf(source, 'lun'), 0, 255, path.child('lun')));
  if ((source['chapAuthDiscovery'] || source['chapAuthSession']) && !source['secretRef']) faults.push(required(path.child('secretRef')));
  return initiator === undefined ? faults : [...faults, ...nameFaults(initiator, path.child('initiatorname'), startDetail)];
}

/** An initiator of its own gets an interface that is named after volume and portal. */
export function isInterfaceTooLong(source: VolumeSource, volumeName: string): boolean {
  const {initiatorName} = source;
  return typeof initiatorName === 'string' && `${volumeName}:${textOf(source, 'targetPortal') ?? ''}`.length > longestInterface;
}

function nameFaults(name: string, path: FieldPath, startDetail: string): FieldError[] {
  const form = nameForms[name.slice(0, 3)];
  if (!form) return [invalid(path, name, startDetail)];
  return form.test(name) ? [] : [invalid(path, name, 'must be valid format')];
}
