import type {FieldError, FieldPath, NamingProfile} from '../../../sdk/index.js';
import {noBacksteps, validateText} from '../../../sdk/validation/index.js';
import type {PersistentVolumeSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {csiSourceFaults} from '../../families/volumes/csi-source.js';
import {referenceOf} from '../../families/volumes/source-members.js';
import {persistentSources, validateSourceCount} from '../../families/volumes/storage-sources.js';

/** All source types of persistent volumes. */
export const sourceTypes: readonly string[] = [...Object.keys(persistentSources), 'csi', 'local'];

/** Errors in the source of a volume. There must be exactly one. */
export function sourceFaults(name: string, spec: PersistentVolumeSpec, path: FieldPath, naming: NamingProfile): FieldError[] {
  const given = sourceTypes.filter((type) => referenceOf(spec, type));
  const [first] = given;
  const faults = validateSourceCount(given, path);
  if (first === undefined) return faults;
  const at = path.child(first);
  const rule = persistentSources[first];
  const own = rule
    ? rule(referenceOf(spec, first) ?? {}, at, {naming, volumeName: name, volumePath: path})
    : ownSourceFaults(first, spec, at);
  return [...own, ...faults];
}

function ownSourceFaults(type: string, spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  if (type === 'csi') return csiSourceFaults(spec.csi ?? {}, path);
  return [...validateText(spec.local?.path, path.child('path')), ...noBacksteps(path.child('path'), spec.local?.path ?? '')];
}
