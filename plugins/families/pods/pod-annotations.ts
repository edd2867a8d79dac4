import {forbiddenField, invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {relativePath} from '../../../sdk/validation/index.js';
import type {PodSpec, SeccompProfile} from '../../../sdk/types/unchecked/core/v1.js';
import {allContainers} from './all-containers.js';
import type {PodRules} from './pod-rules.js';

type Annotations = Readonly<Record<string, string>> | undefined;

/** Errors in annotations with a meaning for pods. `path` is that of the annotations. */
export function validatePodAnnotations(annotations: Annotations, spec: PodSpec, path: FieldPath, {naming}: PodRules): FieldError[] {
  const faults: FieldError[] = [];
  const mirror = naming.key('orch/config.mirror');
  const cost = naming.key('controller.orch/pod-deletion-cost');
  const seccompPod = naming.key('seccomp.security.alpha.orch/pod');
  const seccompContainer = naming.key('container.seccomp.security.alpha.orch/');
  const appArmor = naming.key('container.apparmor.security.beta.orch/');
  const containers = new Set(allContainers(spec, path).map(({container}) => container.name));
  for (const [key, value] of Object.entries(annotations ?? {})) {
    if (key === mirror && !spec.nodeName)
      faults.push(invalid(path.key(key), value, 'must set spec.nodeName if mirror pod annotation is set'));
    if (key === cost && !isDeletionCost(value)) faults.push(invalid(path.key(key), value, 'must be a 32bit integer'));
    if (key === seccompPod || key.startsWith(seccompContainer)) faults.push(...validateSeccompProfile(value, path.child(key)));
    if (key.startsWith(appArmor)) {
      const container = key.slice(appArmor.length);
      if (!containers.has(container)) faults.push(invalid(path.key(key), container, 'container not found'));
      if (!isAppArmorProfile(value)) faults.push(invalid(path.key(key), value, `invalid AppArmor profile name: ${JSON.stringify(value)}`));
    }
  }
  return faults;
}

/** If a pod has its seccomp profile both in the old annotation and in the field, they must agree. `path` is that of the spec. */
export function validateSeccompAgreement(annotations: Annotations, spec: PodSpec, path: FieldPath, {naming}: PodRules): FieldError[] {
  const faults: FieldError[] = [];
  const ofPod = annotations?.[naming.key('seccomp.security.alpha.orch/pod')];
  if (ofPod !== undefined)
    faults.push(...agreement(ofPod, spec.securityContext?.seccompProfile, path.child('securityContext', 'seccompProfile')));
  for (const {container, at} of allContainers(spec, path)) {
    const own = annotations?.[naming.key('container.seccomp.security.alpha.orch/') + (container.name ?? '')];
    if (own !== undefined)
      faults.push(...agreement(own, container.securityContext?.seccompProfile, at.child('securityContext', 'seccompProfile')));
  }
  return faults;
}

const wordsOfType: Readonly<Record<string, (text: string) => boolean>> = {
  Unconfined: (text) => text === 'unconfined',
  RuntimeDefault: (text) => text === 'runtime/default' || text === 'docker/default',
  Localhost: (text) => text.startsWith('localhost/'),
};

function agreement(annotation: string, profile: SeccompProfile | undefined | null, path: FieldPath): FieldError[] {
  const matches = wordsOfType[profile?.type ?? ''];
  if (!profile || !matches) return [];
  if (!matches(annotation)) return [forbiddenField(path.child('type'), 'seccomp type in annotation and field must match')];
  const other = profile.type === 'Localhost' && annotation.slice('localhost/'.length) !== profile.localhostProfile;
  return other ? [forbiddenField(path.child('localhostProfile'), 'seccomp profile in annotation and field must match')] : [];
}

function validateSeccompProfile(text: string, path: FieldPath): FieldError[] {
  if (text === 'runtime/default' || text === 'docker/default' || text === 'unconfined') return [];
  if (text.startsWith('localhost/')) return relativePath(path, text.slice('localhost/'.length));
  return [invalid(path, text, 'must be a valid seccomp profile')];
}

function isAppArmorProfile(text: string): boolean {
  return text === '' || text === 'runtime/default' || text === 'unconfined' || text.startsWith('localhost/');
}

function isDeletionCost(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,9})$/.test(text) && Number(text) === (Number(text) | 0);
}
