import {FieldPath, forbiddenField, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

const containersPath = FieldPath.of('spec', 'ephemeralContainers');

/** Errors in a change of ephemeral containers: they can only be added. */
export function ephemeralUpdateFaults(pod: Pod, old: Pod, naming: NamingProfile): FieldError[] {
  const mirror = naming.key('orch/config.mirror');
  const faults =
    old.metadata.annotations?.[mirror] === undefined
      ? []
      : [forbiddenField(FieldPath.of('spec'), 'static pods do not support ephemeral containers')];
  const now = new Map((pod.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]));
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const after = now.get(before.name);
    const name = JSON.stringify(before.name ?? '');
    if (!after) faults.push(forbiddenField(containersPath, `existing ephemeral containers ${name} may not be removed`));
    else if (!sameValue(after, before))
      faults.push(forbiddenField(containersPath, `existing ephemeral containers ${name} may not be changed`));
  }
  return faults;
}
