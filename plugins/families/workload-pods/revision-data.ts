import type {ControllerRevision} from '../../../sdk/types/unchecked/apps/v1.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** The content of a revision: a patch that restores the template. */
interface RevisionData {
  readonly spec: {readonly template: PodTemplateSpec & {readonly $patch?: string}};
}

export function revisionData(template: PodTemplateSpec): RevisionData {
  return {spec: {template: {...template, $patch: 'replace'}}};
}

/** The template in a revision. */
export function templateOf({data}: ControllerRevision): PodTemplateSpec {
  const {$patch: _patch, ...template} = (data as unknown as RevisionData).spec.template;
  return template;
}

export function numberOf({revision}: ControllerRevision): number {
  return Number(revision ?? 0);
}
