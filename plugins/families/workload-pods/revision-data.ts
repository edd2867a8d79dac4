import type {ControllerRevision} from '../../../sdk/types/unchecked/apps/v1.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** The content of a revision: a patch that restores the template. */
interface RevisionData {
  readonly spec: {readonly template: PodTemplateSpec & {readonly $patch?: string}};
}

/** Its members are in the order in which Kubernetes writes them: some of its controllers compare revisions as texts. */
export function revisionData(template: PodTemplateSpec): RevisionData {
  return sorted({spec: {template: {...template, $patch: 'replace'}}});
}

function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => sorted(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)])) as T;
}

/** The template in a revision. */
export function templateOf({data}: ControllerRevision): PodTemplateSpec {
  const {$patch: _patch, ...template} = (data as unknown as RevisionData).spec.template;
  return template;
}

export function numberOf({revision}: ControllerRevision): number {
  return Number(revision ?? 0);
}
