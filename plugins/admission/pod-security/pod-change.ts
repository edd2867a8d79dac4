import type {NamingProfile} from '../../../sdk/index.js';
import type {CheckedPod} from './checks/check.js';

type Images = readonly {readonly name?: string; readonly image?: string}[] | null | undefined;

/**
 * Whether an update changes something that the standards check. Few such fields of a running pod can change. All other updates are
 * admitted, so that a pod that existed before its namespace became stricter can still be labelled, finalized and deleted.
 */
export function isSignificant(pod: CheckedPod, old: CheckedPod, naming: NamingProfile): boolean {
  const seccomp = naming.key('container.seccomp.security.alpha.orch/');
  const differs = (name = '', image = '', oldImage = '') =>
    image !== oldImage || pod.annotations[seccomp + name] !== old.annotations[seccomp + name];
  const anyDiffers = (now: Images, before: Images) =>
    (now ?? []).length !== (before ?? []).length || (now ?? []).some(({name, image}, index) => differs(name, image, before![index]!.image));
  if (anyDiffers(pod.spec.containers, old.spec.containers) || anyDiffers(pod.spec.initContainers, old.spec.initContainers)) return true;
  return (pod.spec.ephemeralContainers ?? []).some(({name, image}) => {
    const before = (old.spec.ephemeralContainers ?? []).find((container) => container.name === name);
    return !before || differs(name, image, before.image);
  });
}
