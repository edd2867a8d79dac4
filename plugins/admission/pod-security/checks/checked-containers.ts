import type {Container, PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';

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

/** Names of the containers in which `valuesOf` finds something, and all that it finds, sorted. */
export function containersWith(
  spec: PodSpec,
  valuesOf: (container: Container) => readonly string[],
): {readonly containers: string[]; readonly values: string[]} {
  const found = new Set<string>();
  const containers = containersWhere(spec, (container) => {
    const values = valuesOf(container);
    for (const value of values) found.add(value);
    return values.length > 0;
  });
  return {containers, values: [...found].sort()};
}
