import type {NamingProfile} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ControllerRevision, StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {controllerReference} from '../../families/workload-pods/controller-reference.js';
import {hashText} from '../../families/workload-pods/hash-text.js';
import {setKind, setVersion} from './set-object.js';

/** The content of a revision: a patch that restores the template. */
interface RevisionData {
  readonly spec: {readonly template: PodTemplateSpec & {readonly $patch?: string}};
}

/** Maximum characters of the set's name in the names of its revisions. */
const longestPrefix = 223;

/** The revision of the set's current template. */
export function newRevision(naming: NamingProfile, set: StatefulSet, revision: number, collisions: number): ControllerRevision {
  const template = set.spec?.template ?? {};
  const data = {spec: {template: {...template, $patch: 'replace'}}};
  const hash = hashText(data, String(collisions));
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${set.metadata.name!.slice(0, longestPrefix)}-${hash}`,
      namespace: set.metadata.namespace!,
      labels: {...template.metadata?.labels, [naming.key('controller.orch/hash')]: hash},
      ownerReferences: [controllerReference(set, setVersion, setKind)],
    },
    data: data as NonNullable<ControllerRevision['data']>,
    revision,
  };
}

/** The template in a revision. */
export function templateOf({data}: ControllerRevision): PodTemplateSpec {
  const {$patch: _patch, ...template} = (data as unknown as RevisionData).spec.template;
  return template;
}

export function isSameRevision(one: ControllerRevision, other: ControllerRevision): boolean {
  return sameValue(one.data, other.data);
}

/** Oldest first; of the same number, the one created first. */
export function byAge(one: ControllerRevision, other: ControllerRevision): number {
  const created = ({metadata}: ControllerRevision) => Date.parse(metadata.creationTimestamp ?? '') || 0;
  return numberOf(one) - numberOf(other) || created(one) - created(other) || (one.metadata.name! < other.metadata.name! ? -1 : 1);
}

export function numberOf({revision}: ControllerRevision): number {
  return Number(revision ?? 0);
}
