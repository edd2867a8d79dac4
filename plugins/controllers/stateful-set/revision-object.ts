import type {NamingProfile} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ControllerRevision, StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {controllerReference} from '../../families/workload-pods/controller-reference.js';
import {hashText} from '../../families/workload-pods/hash-text.js';
import {numberOf, revisionData} from '../../families/workload-pods/revision-data.js';
import {setKind, setVersion} from './set-object.js';

/** Maximum characters of the set's name in the names of its revisions. */
const longestPrefix = 223;

/** The revision of the set's current template. */
export function newRevision(naming: NamingProfile, set: StatefulSet, revision: number, collisions: number): ControllerRevision {
  const template = set.spec?.template ?? {};
  const data = revisionData(template);
  const hash = hashText(data, String(collisions));
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${set.metadata.name!.slice(0, longestPrefix)}-${hash}`,
      namespace: set.metadata.namespace!,
      labels: {...template.metadata?.labels, [naming.key('controller.orch/hash')]: hash},
      ...(set.metadata.annotations ? {annotations: {...set.metadata.annotations}} : {}),
      ownerReferences: [controllerReference(set, setVersion, setKind)],
    },
    data: data as unknown as NonNullable<ControllerRevision['data']>,
    revision,
  };
}

export function isSameRevision(one: ControllerRevision, other: ControllerRevision): boolean {
  return sameValue(one.data, other.data);
}

/** Oldest first; of the same number, the one created first. */
export function byAge(one: ControllerRevision, other: ControllerRevision): number {
  const created = ({metadata}: ControllerRevision) => Date.parse(metadata.creationTimestamp ?? '') || 0;
  return numberOf(one) - numberOf(other) || created(one) - created(other) || (one.metadata.name! < other.metadata.name! ? -1 : 1);
}
