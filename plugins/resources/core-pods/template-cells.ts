import type {PodTemplateSpec} from '../../shared/pod/pod-types.js';

/** What a template would run, for cells of a Table. */
export function templateCells(template: PodTemplateSpec | undefined): {Containers: string; Images: string} {
  const containers = template?.spec?.containers ?? [];
  return {Containers: containers.map(({name}) => name ?? '').join(','), Images: containers.map(({image}) => image ?? '').join(',')};
}
