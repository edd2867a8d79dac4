import type {Container, PodSpec} from '../../../families/pods/types.js';

/** Init containers, containers and ephemeral containers, in this order. */
export function checkedContainers({initContainers, containers, ephemeralContainers}: PodSpec): Container[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...((ephemeralContainers ?? []) as Container[])];
}

/** Names of the containers that match a condition. */
export function containersWhere(spec: PodSpec, isSo: (container: Container) => boolean): string[] {
  return checkedContainers(spec)
    .filter(isSo)
    .map(({name}) => name ?? '');
}
