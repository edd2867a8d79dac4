import {forbiddenField, invalid, notFoundField, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {noBacksteps, relativePath, validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {Container, Volume, VolumeMount} from '../../../sdk/types/unchecked/core/v1.js';

/** Valid volumes of the pod, by name. */
export type KnownVolumes = ReadonlyMap<string, Volume>;

/** Errors in a container's volume mounts. */
export function validateVolumeMounts(container: Container, volumes: KnownVolumes, path: FieldPath): FieldError[] {
  const devices = container.volumeDevices ?? [];
  const deviceNames = new Set(devices.map(({name}) => name));
  const devicePaths = new Set(devices.map(({devicePath}) => devicePath));
  const places = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, index) => {
    const at = path.index(index);
    const {name = '', mountPath = ''} = mount;
    const faults: FieldError[] = [];
    if (name === '') faults.push(required(at.child('name')));
    if (!volumes.has(name)) faults.push(notFoundField(at.child('name'), name));
    if (mountPath === '') faults.push(required(at.child('mountPath')));
    if (places.has(mountPath)) faults.push(invalid(at.child('mountPath'), mountPath, 'must be unique'));
    places.add(mountPath);
    if (deviceNames.has(name)) faults.push(invalid(at.child('name'), name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath)) {
      faults.push(invalid(at.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'));
    }
    return [
      ...faults,
      ...validateSubPaths(mount, at),
      ...validatePropagation(mount, container, at.child('mountPropagation')),
      ...validateRecursiveReadOnly(mount, path.child('recursiveReadOnly')),
    ];
  });
}

/** What is mounted below a read-only mount can be read-only too, where no mounts are passed on. The path is that of all mounts, as in Kubernetes. */
function validateRecursiveReadOnly({recursiveReadOnly: mode, readOnly, mountPropagation}: VolumeMount, path: FieldPath): FieldError[] {
  const faults = validateOptionalOneOf(mode, ['Disabled', 'Enabled', 'IfPossible'], path);
  if (mode !== 'Enabled' && mode !== 'IfPossible') return faults;
  if (!readOnly) faults.push(forbiddenField(path, 'may only be specified when readOnly is true'));
  if (mountPropagation && mountPropagation !== 'None')
    faults.push(forbiddenField(path, 'may only be specified when mountPropagation is None or not specified'));
  return faults;
}

function validateSubPaths({subPath, subPathExpr}: VolumeMount, path: FieldPath): FieldError[] {
  const faults = subPath ? relativePath(path.child('subPath'), subPath) : [];
  if (!subPathExpr) return faults;
  if (subPath) faults.push(invalid(path.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
  return [...faults, ...relativePath(path.child('subPathExpr'), subPathExpr)];
}

function validatePropagation({mountPropagation: mode}: VolumeMount, {securityContext}: Container, path: FieldPath): FieldError[] {
  const faults = validateOptionalOneOf(mode, ['Bidirectional', 'HostToContainer', 'None'], path);
  if (mode === 'Bidirectional' && !securityContext?.privileged) {
    faults.push(forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers'));
  }
  return faults;
}

/** Errors in a container's block devices. */
export function validateVolumeDevices(
  {volumeDevices = [], volumeMounts = []}: Container,
  volumes: KnownVolumes,
  path: FieldPath,
): FieldError[] {
  const names = new Set<string>();
  const places = new Set<string>();
  const mountNames = new Set(volumeMounts.map((mount) => mount.name));
  const mountPaths = new Set(volumeMounts.map((mount) => mount.mountPath));
  return (volumeDevices ?? []).flatMap(({name = '', devicePath = ''}, index) => {
    const at = path.index(index);
    const faults: FieldError[] = [];
    const volume = volumes.get(name);
    if (name === '') faults.push(required(at.child('name')));
    if (names.has(name)) faults.push(invalid(at.child('name'), name, 'must be unique'));
    names.add(name);
    if (!volume) faults.push(notFoundField(at.child('name'), name));
    else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
      faults.push(invalid(at.child('name'), name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'));
    }
    if (devicePath === '') faults.push(required(at.child('devicePath')));
    if (places.has(devicePath)) faults.push(invalid(at.child('devicePath'), devicePath, 'must be unique'));
    if (noBacksteps(at, devicePath).length > 0)
      faults.push(invalid(at.child('devicePath'), devicePath, "can not contain backsteps ('..')"));
    else places.add(devicePath);
    if (mountNames.has(name)) faults.push(invalid(at.child('name'), name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(devicePath)) {
      faults.push(invalid(at.child('devicePath'), devicePath, 'must not already exist as a path in volumeMounts'));
    }
    return faults;
  });
}
