import type {PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';

/** An image as nodes name it: with a tag. */
export function normalImage(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}

/** The images that a pod needs. */
export interface PodImages {
  readonly names: readonly string[];
  readonly containers: number;
}

export function podImages({containers, initContainers, volumes}: PodSpec): PodImages {
  const all = [...(initContainers ?? []), ...(containers ?? [])];
  const ofVolumes = (volumes ?? []).flatMap(({image}) => (image ? [image.reference ?? ''] : []));
  return {names: [...all.map(({image}) => image ?? ''), ...ofVolumes].map(normalImage), containers: all.length};
}
