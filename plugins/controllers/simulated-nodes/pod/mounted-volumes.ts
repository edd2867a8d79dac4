import type {Container, ContainerStatus, Pod, PodSpec, Volume} from '../../../../sdk/types/unchecked/core/v1.js';

/** The volumes that containers of a pod use, as files or as devices: kubelets leave the others alone. */
export function mountedVolumes({volumes, initContainers, containers, ephemeralContainers}: PodSpec): Volume[] {
  if (!volumes?.length) return [];
  const used = new Set<string>();
  for (const {volumeMounts, volumeDevices} of [
    ...(initContainers ?? []),
    ...(containers ?? []),
    ...(ephemeralContainers ?? []),
  ] as Container[]) {
    for (const {name} of volumeMounts ?? []) used.add(name ?? '');
    for (const {name} of volumeDevices ?? []) used.add(name ?? '');
  }
  return volumes.filter(({name}) => used.has(name ?? ''));
}

/** Whether a container of a pod has run: its volumes were there. */
export function hadVolumes({status = {}}: Pod): boolean {
  const began = ({state, lastState}: ContainerStatus) => Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].some(began);
}
