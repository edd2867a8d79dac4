import {
  dnsLabelFaults,
  forbiddenField,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
  type NamingProfile,
} from '../../../sdk/index.js';
import {noBacksteps, validateOptionalOneOf, validateOptionalText, validateRange, validateText} from '../../../sdk/validation/index.js';
import {interfaceTooLong, iscsiFaults, isInterfaceTooLong} from './iscsi.js';
import {lengthOf, numberOf, referenceOf, textOf, texts, type VolumeSource} from './source-members.js';

/** What the rules of a source depend on besides the source itself. */
export interface SourceSurroundings {
  /** For the spelling of the platform's reserved domain. */
  readonly naming: NamingProfile;
  /** The volume's name, and the path of what contains the source. */
  readonly volumeName: string;
  readonly volumePath: FieldPath;
}

/** The rules of one source type. `path` is that of the source, below that of its volume. */
export type SourceRule = (source: VolumeSource, path: FieldPath, around: SourceSurroundings) => FieldError[];

const longestTenant = 64;
/** `HOST:PORT` or `[IPV6]:PORT`; either part may be empty. */
const hostAndPort = /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/;
const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

/**
 * Rules of the sources that pods and persistent volumes have in common, by member. For sources of storage plugins that were removed from
 * the platform, only the identifying fields are required.
 */
const commonSources: Readonly<Record<string, SourceRule>> = {
  hostPath: validateHostPath,
  gcePersistentDisk: (source, path) => [...texts(source, path, 'pdName'), ...partition(source, path)],
  awsElasticBlockStore: (source, path) => [...texts(source, path, 'volumeID'), ...partition(source, path)],
  nfs: validateNfs,
  rbd: (source, path) => [...list(source, path, 'monitors'), ...texts(source, path, 'image')],
  cephfs: (source, path) => list(source, path, 'monitors'),
  fc: validateFc,
  flocker: validateFlocker,
  flexVolume: validateFlexVolume,
  azureDisk: validateAzureDisk,
  vsphereVolume: (source, path) => texts(source, path, 'volumePath'),
  quobyte: validateQuobyte,
  photonPersistentDisk: (source, path) => texts(source, path, 'pdID'),
  portworxVolume: (source, path) => texts(source, path, 'volumeID'),
  scaleIO: (source, path) => texts(source, path, 'gateway', 'system', 'volumeName'),
};

/** Volume sources of pods. Their secrets are in the pod's namespace. */
export const storageSources: Readonly<Record<string, SourceRule>> = {
  ...commonSources,
  iscsi: (source, path, {volumeName, volumePath}) => [
    ...iscsiFaults(source, path, 'must be valid format starting with iqn, eui, or naa'),
    ...(isInterfaceTooLong(source, volumeName) ? [invalid(volumePath.child('name'), volumeName, interfaceTooLong)] : []),
  ],
  glusterfs: (source, path) => texts(source, path, 'endpoints', 'path'),
  cinder: (source, path) => [...texts(source, path, 'volumeID'), ...secretMembers(source, path, 'name')],
  azureFile: (source, path) => texts(source, path, 'secretName', 'shareName'),
  storageos: (source, path) => [...storageOsNames(source, path), ...secretMembers(source, path, 'name')],
};

/** Sources of persistent volumes, which are cluster-scoped: their references include a namespace. */
export const persistentSources: Readonly<Record<string, SourceRule>> = {
  ...commonSources,
  iscsi: (source, path, {volumeName}) => [
    ...iscsiFaults(source, path, 'must be valid format'),
    ...(isInterfaceTooLong(source, volumeName)
      ? [invalid(path.child('targetportal'), textOf(source, 'targetPortal'), interfaceTooLong)]
      : []),
    ...secretMembers(source, path, 'name'),
  ],
  glusterfs: (source, path) => [...texts(source, path, 'endpoints', 'path'), ...endpointsNamespace(source, path)],
  cinder: (source, path) => [...texts(source, path, 'volumeID'), ...secretMembers(source, path, 'name', 'namespace')],
  azureFile: (source, path) => [
    ...texts(source, path, 'secretName', 'shareName'),
    ...(textOf(source, 'secretNamespace') === '' ? [required(path.child('secretNamespace'))] : []),
  ],
  storageos: (source, path) => [...storageOsNames(source, path), ...secretMembers(source, path, 'name', 'namespace')],
};

/** Errors of a volume with no source or several. The first one counts; the others are forbidden. */
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
  return place.startsWith('/') ? faults : [...faults, invalid(path.child('path'), place, 'must be an absolute path')];
}

function partition(source: VolumeSource, path: FieldPath): FieldError[] {
  const value = numberOf(source, 'partition') ?? 0;
  // 0 stands for the whole disk.
  return value === 0 ? [] : validateRange(value, 1, 255, path.child('partition'));
}

/** Options of drivers must not look like options of the platform. */
function validateFlexVolume(source: VolumeSource, path: FieldPath, {naming: {keyPrefix}}: SourceSurroundings): FieldError[] {
  const faults = texts(source, path, 'driver');
  for (const key of Object.keys((source['options'] as object | undefined) ?? {})) {
    const slash = key.indexOf('/');
    const domain = (slash < 0 ? key : key.slice(0, slash)).toLowerCase();
    if (domain !== keyPrefix && !domain.endsWith(`.${keyPrefix}`)) continue;
    faults.push(invalid(path.child('options').key(key), key, `${keyPrefix} namespaces are reserved`));
  }
  return faults;
}

const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

function validateAzureDisk(source: VolumeSource, path: FieldPath): FieldError[] {
  const kind = textOf(source, 'kind');
  const uri = textOf(source, 'diskURI') ?? '';
  const faults = [
    ...texts(source, path, 'diskName', 'diskURI'),
    ...validateOptionalOneOf(textOf(source, 'cachingMode'), ['None', 'ReadOnly', 'ReadWrite'], path.child('cachingMode')),
    ...validateOptionalOneOf(kind, ['Dedicated', 'Managed', 'Shared'], path.child('kind')),
  ];
  if (kind === undefined) return faults;
  const [start, form] = kind === 'Managed' ? ['/subscriptions/', managedDisk] : ['https://', blobDisk];
  return uri.startsWith(start) ? faults : [...faults, notSupported(path.child('diskURI'), uri, [form])];
}

function validateQuobyte(source: VolumeSource, path: FieldPath): FieldError[] {
  const registry = textOf(source, 'registry') ?? '';
  const detail = 'must be a host:port pair or multiple pairs separated by commas';
  const faults: FieldError[] = [];
  if (registry === '') faults.push(required(path.child('registry'), detail));
  else if ((textOf(source, 'tenant') ?? '').length > longestTenant) {
    faults.push(required(path.child('tenant'), `must be a UUID and may not exceed a length of ${longestTenant} characters`));
  } else if (!registry.split(',').every((pair) => hostAndPort.test(pair))) faults.push(invalid(path.child('registry'), registry, detail));
  return [...faults, ...texts(source, path, 'volume')];
}

function storageOsNames(source: VolumeSource, path: FieldPath): FieldError[] {
  return [
    ...validateText(textOf(source, 'volumeName'), path.child('volumeName'), dnsLabelFaults),
    ...validateOptionalText(textOf(source, 'volumeNamespace'), path.child('volumeNamespace'), dnsLabelFaults),
  ];
}

function endpointsNamespace(source: VolumeSource, path: FieldPath): FieldError[] {
  const namespace = textOf(source, 'endpointsNamespace');
  const at = path.child('endpointsNamespace');
  if (namespace === '') return [invalid(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name')];
  return validateOptionalText(namespace, at, dnsLabelFaults);
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

function list(source: VolumeSource, path: FieldPath, member: string): FieldError[] {
  return lengthOf(source, member) > 0 ? [] : [required(path.child(member))];
}

/** If there is a reference to a secret, it must have these members. */
function secretMembers(source: VolumeSource, path: FieldPath, ...members: ('name' | 'namespace')[]): FieldError[] {
  const reference = referenceOf(source, 'secretRef');
  return reference ? texts(reference, path.child('secretRef'), ...members) : [];
}
