import {forbiddenField, invalid, required, tooLong, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateOneOf} from '../../../sdk/validation/index.js';
import type {AppArmorProfile, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {allContainers} from './all-containers.js';

/** The longest path on Linux, in bytes. */
const maximumProfile = 4095;
const localhostPrefix = 'localhost/';
const unset = 'must be set when AppArmor type is Localhost';

/** Errors in an AppArmor profile of a pod or container. */
export function validateAppArmorProfile(profile: AppArmorProfile | undefined | null, path: FieldPath): FieldError[] {
  if (!profile) return [];
  const {type, localhostProfile: name} = profile;
  const at = path.child('localhostProfile');
  const isGiven = typeof name === 'string';
  if (type === 'Localhost') return isGiven ? validateName(name, at) : [required(at, unset)];
  const types = ['Localhost', 'RuntimeDefault', 'Unconfined'];
  const faults = validateOneOf(type, types, path.child('type'), 'type is required when appArmorProfile is set');
  if (faults.length > 0 || !isGiven) return faults;
  return [invalid(at, name, 'can only be set when AppArmor type is Localhost')];
}

function validateName(name: string, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (name.trim() !== name) faults.push(invalid(path, name, 'must not be padded with whitespace'));
  else if (name === '') faults.push(required(path, unset));
  return Buffer.byteLength(name) > maximumProfile ? [...faults, tooLong(path, maximumProfile)] : faults;
}

/**
 * A new pod may have a container's profile in the field and in the annotation of older clients: they must agree. `path` is that of the spec.
 *
 * @param annotationOf the annotation of a container, by its name
 */
export function validateAppArmorAgreement(
  spec: PodSpec,
  path: FieldPath,
  annotationOf: (container: string) => string | undefined,
): FieldError[] {
  if (spec.os?.name === 'windows') return [];
  return allContainers(spec, path).flatMap(({container, at}) => {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = annotationOf(container.name ?? '');
    return profile && annotation !== undefined ? agreement(annotation, profile, at.child('securityContext', 'appArmorProfile')) : [];
  });
}

function agreement(annotation: string, {type = '', localhostProfile}: AppArmorProfile, path: FieldPath): FieldError[] {
  const written = appArmorProfileOf(annotation);
  if (type === 'Localhost' && annotation.startsWith(localhostPrefix)) {
    const isSame = annotation.slice(localhostPrefix.length) === localhostProfile;
    return isSame ? [] : [forbiddenField(path.child('localhostProfile'), 'apparmor profile in annotation and field must match')];
  }
  if (!['Localhost', 'RuntimeDefault', 'Unconfined'].includes(type) || written?.type === type) return [];
  return [forbiddenField(path.child('type'), 'apparmor type in annotation and field must match')];
}

/** The profile that an annotation of older clients means; undefined if it means none. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return {type: 'Unconfined'};
  if (annotation === 'runtime/default') return {type: 'RuntimeDefault'};
  if (!annotation.startsWith(localhostPrefix) || annotation === localhostPrefix) return undefined;
  return {type: 'Localhost', localhostProfile: annotation.slice(localhostPrefix.length)};
}

/** The annotation that means a profile to older clients; undefined for one that has none. */
export function appArmorAnnotationOf({type, localhostProfile}: AppArmorProfile): string | undefined {
  if (type === 'Unconfined') return 'unconfined';
  if (type === 'RuntimeDefault') return 'runtime/default';
  return type === 'Localhost' && typeof localhostProfile === 'string' ? localhostPrefix + localhostProfile : undefined;
}
