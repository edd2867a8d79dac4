import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** Cells about the containers of a workload's pods, for the wide form of its Table. */
export function templateCells(template: PodTemplateSpec | undefined | null): {Containers: string; Images: string} {
  const containers = template?.spec?.containers ?? [];
  return {
    Containers: containers.map(({name}) => name ?? '').join(','),
    Images: containers.map(({image}) => image ?? '').join(','),
  };
}
