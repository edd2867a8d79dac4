import {dnsLabelFaults, dnsSubdomainFaults, duplicate, invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateText} from '../../../sdk/validation/index.js';
import type {Volume} from '../../../sdk/types/unchecked/core/v1.js';
import {validateSourceCount} from '../volumes/storage-sources.js';
import type {PodRules} from './pod-rules.js';
import type {KnownVolumes} from './volume-mounts.js';
import {sourceOf, validateVolumeSource, volumeSourceTypes} from './volume-sources.js';

/** Errors in a pod's volumes, and the valid volumes, which are the only ones that containers may refer to. */
export function validateVolumes(
  volumes: readonly Volume[],
  path: FieldPath,
  rules: PodRules,
): {volumes: KnownVolumes; faults: FieldError[]} {
  const known = new Map<string, Volume>();
  const faults: FieldError[] = [];
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    const {name = ''} = volume;
    const own = [
      ...validateSources(volume, at, rules),
      ...validateText(name, at.child('name'), dnsLabelFaults),
      ...claimNameFaults(volume, at, rules),
    ];
    if (known.has(name)) own.push(duplicate(at.child('name'), name));
    if (own.length === 0) known.set(name, volume);
    faults.push(...own);
  }
  return {volumes: known, faults: [...faults, ...claimConflicts(volumes, path, rules)]};
}

function validateSources(volume: Volume, path: FieldPath, rules: PodRules): FieldError[] {
  const given = volumeSourceTypes.filter((type) => sourceOf(volume, type));
  const [first] = given;
  const faults = validateSourceCount(given, path);
  return first === undefined ? faults : [...validateVolumeSource(first, volume, path, rules), ...faults];
}

/** The claim of an ephemeral volume is named after pod and volume, so the combination must be a valid name. */
function claimNameFaults({name = '', ephemeral}: Volume, path: FieldPath, {podMetadata}: PodRules): FieldError[] {
  if (!ephemeral || !podMetadata?.name || name === '') return [];
  const claim = `${podMetadata.name}-${name}`;
  return dnsSubdomainFaults(claim).map((detail) => invalid(path.child('name'), name, `PVC name ${JSON.stringify(claim)}: ${detail}`));
}

/** A volume cannot use a claim that is created for another volume of the same pod. */
function claimConflicts(volumes: readonly Volume[], path: FieldPath, {podMetadata}: PodRules): FieldError[] {
  if (!podMetadata?.name) return [];
  const made = new Set(volumes.filter(({ephemeral}) => ephemeral).map(({name}) => `${podMetadata.name}-${name}`));
  return volumes.flatMap(({persistentVolumeClaim}, index) => {
    const claim = persistentVolumeClaim?.claimName;
    if (!claim || !made.has(claim)) return [];
    const at = path.index(index).child('persistentVolumeClaim', 'claimName');
    return [invalid(at, claim, 'must not reference a PVC that gets created for an ephemeral volume')];
  });
}
