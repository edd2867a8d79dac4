import {invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateRange} from '../../../sdk/validation/index.js';
import {numberOf, textOf, texts, type VolumeSource} from './source-members.js';

/** The three kinds of iSCSI names, by their prefix. */
const nameForms: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};
const longestInterface = 64;

/** The error for a volume and portal whose combined names are too long for an interface named after both. */
export const interfaceTooLong =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** Errors in an iSCSI target. @param startDetail the message for a name of none of the three kinds */
export function iscsiFaults(source: VolumeSource, path: FieldPath, startDetail: string): FieldError[] {
  const initiator = textOf(source, 'initiatorName');
  const iqn = textOf(source, 'iqn') ?? '';
  const faults = texts(source, path, 'targetPortal', 'iqn');
  if (iqn !== '') faults.push(...nameFaults(iqn, path.child('iqn'), startDetail));
  faults.push(...validateRange(numberOf(source, 'lun'), 0, 255, path.child('lun')));
  if ((source['chapAuthDiscovery'] || source['chapAuthSession']) && !source['secretRef']) faults.push(required(path.child('secretRef')));
  return initiator === undefined ? faults : [...faults, ...nameFaults(initiator, path.child('initiatorname'), startDetail)];
}

/** With its own initiator name, the interface is named after volume and portal. */
export function isInterfaceTooLong(source: VolumeSource, volumeName: string): boolean {
  const {initiatorName} = source;
  return typeof initiatorName === 'string' && `${volumeName}:${textOf(source, 'targetPortal') ?? ''}`.length > longestInterface;
}

function nameFaults(name: string, path: FieldPath, startDetail: string): FieldError[] {
  const form = nameForms[name.slice(0, 3)];
  if (!form) return [invalid(path, name, startDetail)];
  return form.test(name) ? [] : [invalid(path, name, 'must be valid format')];
}
