import {forbiddenField, invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {noBacksteps} from '../fields/file-paths.js';
import {validateRange} from '../fields/number-rules.js';
import {validateOptionalOneOf, validateText} from '../fields/text-rules.js';

/** Members of a source of a volume, whatever its type. */
export type VolumeSource = Readonly<Record<string, unknown>>;

type SourceRule = (source: VolumeSource, path: FieldPath) => FieldError[];

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

/**
 * Rules of the sources that pods' volumes and persistent volumes have in common, by member. Sources of storage plugins that are not
 * part of the platform any more are held to the fields that identify what is meant, no more.
 */
export const storageSources: Readonly<Record<string, SourceRule>> = {
  hostPath: validateHostPath,
  gcePersistentDisk: (source, path) => [
    ...texts(source, path, 'pdName'),
    ...validateRange(numberOf(source, 'partition'), 0, 255, path.child('partition')),
  ],
  awsElasticBlockStore: (source, path) => [
    ...texts(source, path, 'volumeID'),
    ...validateRange(numberOf(source, 'partition'), 0, 255, path.child('partition')),
  ],
  nfs: validateNfs,
  iscsi: validateIscsi,
  glusterfs: (source, path) => texts(source, path, 'endpoints', 'path'),
  rbd: (source, path) => [...list(source, path, 'monitors'), ...texts(source, path, 'image')],
  cephfs: (source, path) => list(source, path, 'monitors'),
  cinder: (source, path) => [...texts(source, path, 'volumeID'), ...secretName(source, path)],
  fc: validateFc,
  flocker: validateFlocker,
  flexVolume: (source, path) => texts(source, path, 'driver'),
  azureFile: (source, path) => texts(source, path, 'secretName', 'shareName'),
  azureDisk: (source, path) => [
    ...texts(source, path, 'diskName', 'diskURI'),
    ...validateOptionalOneOf(textOf(source, 'cachingMode'), ['None', 'ReadOnly', 'ReadWrite'], path.child('cachingMode')),
    ...validateOptionalOneOf(textOf(source, 'kind'), ['Dedicated', 'Managed', 'Shared'], path.child('kind')),
  ],
  vsphereVolume: (source, path) => texts(source, path, 'volumePath'),
  quobyte: (source, path) => texts(source, path, 'registry', 'volume'),
  photonPersistentDisk: (source, path) => texts(source, path, 'pdID'),
  portworxVolume: (source, path) => texts(source, path, 'volumeID'),
  scaleIO: (source, path) => texts(source, path, 'gateway', 'system', 'volumeName'),
  storageos: (source, path) => secretName(source, path),
};

/** What is wrong when a volume has no source, or too many. The first one counts; the others are forbidden. */
export function validateSourceCount(given: readonly string[], path: FieldPath, missing = 'must specify a volume type'): FieldError[] {
  if (given.length === 0) return [required(path, missing)];
  return given.slice(1).map((member) => forbiddenField(path.child(member), 'may not specify more than 1 volume type'));
}

function validateHostPath(source: VolumeSource, path: FieldPath): FieldError[] {
  const place = textOf(source, 'path') ?? '';
  if (place === '') return [required(path.child('path'))];
  return [...noBacksteps(path.child('path'), place), ...validateOptionalOneOf(textOf(source, 'type'), hostPathTypes, path.child('type'))];
}

function validateNfs(source: VolumeSource, path: FieldPath): FieldError[] {
  const place = textOf(source, 'path') ?? '';
  const faults = texts(source, path, 'server', 'path');
  return place === '' || place.startsWith('/') ? faults : [...faults, invalid(path.child('path'), place, 'must be an absolute path')];
}

function validateIscsi(source: VolumeSource, path: FieldPath): FieldError[] {
  const iqn = textOf(source, 'iqn') ?? '';
  const faults = texts(source, path, 'targetPortal', 'iqn');
  if (iqn !== '' && !/^(?:iqn|eui|naa)\./.test(iqn))
    faults.push(invalid(path.child('iqn'), iqn, 'must be valid format starting with iqn, eui, or naa'));
  faults.push(...validateRange(numberOf(source, 'lun'), 0, 255, path.child('lun')));
  if ((source['chapAuthDiscovery'] || source['chapAuthSession']) && !source['secretRef']) faults.push(required(path.child('secretRef')));
  return [...faults, ...secretName(source, path)];
}

function validateFc(source: VolumeSource, path: FieldPath): FieldError[] {
  const names = lengthOf(source, 'targetWWNs');
  const ids = lengthOf(source, 'wwids');
  if (names === 0 && ids === 0) return [required(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both')];
  if (names > 0 && ids > 0)
    return [invalid(path.child('targetWWNs'), source['targetWWNs'], 'targetWWNs and wwids can not be specified simultaneously')];
  if (names === 0) return [];
  const lun = numberOf(source, 'lun');
  return lun === undefined
    ? [required(path.child('lun'), 'lun is required if targetWWNs is specified')]
    : validateRange(lun, 0, 255, path.child('lun'));
}

function validateFlocker(source: VolumeSource, path: FieldPath): FieldError[] {
  const name = textOf(source, 'datasetName') ?? '';
  const id = textOf(source, 'datasetUUID') ?? '';
  if (name === '' && id === '') return [required(path, 'one of datasetName and datasetUUID is required')];
  if (name !== '' && id !== '') return [invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')];
  return name.includes('/') ? [invalid(path.child('datasetName'), name, "must not contain '/'")] : [];
}

/** Members that must be texts with something in them. */
function texts(source: VolumeSource, path: FieldPath, ...members: string[]): FieldError[] {
  return members.flatMap((member) => validateText(textOf(source, member), path.child(member)));
}

function list(source: VolumeSource, path: FieldPath, member: string): FieldError[] {
  return lengthOf(source, member) > 0 ? [] : [required(path.child(member))];
}

/** A reference to a secret has a name where there is one. */
function secretName(source: VolumeSource, path: FieldPath): FieldError[] {
  const reference = source['secretRef'] as {name?: string} | undefined | null;
  return reference ? validateText(reference.name, path.child('secretRef', 'name')) : [];
}

function textOf(source: VolumeSource, member: string): string | undefined {
  const value = source[member];
  return typeof value === 'string' ? value : undefined;
}

function numberOf(source: VolumeSource, member: string): number | undefined {
  const value = source[member];
  return typeof value === 'number' ? value : undefined;
}

function lengthOf(source: VolumeSource, member: string): number {
  const value = source[member];
  return Array.isArray(value) ? value.length : 0;
}
