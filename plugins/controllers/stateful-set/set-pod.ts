import type {NamingProfile} from '../../../sdk/index.js';
import type {Pod, PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {controllerReference} from '../../families/workload-pods/controller-reference.js';
import {volumesOf} from './set-claims.js';
import {podName, setKind, setVersion} from './set-object.js';

/** The revision of the set's template from which a pod was created. */
const revisionLabel = 'controller-revision-hash';

/** The label with a pod's name, which lets a service select a single pod. */
export function podNameLabel(naming: NamingProfile): string {
  return naming.key('statefulset.orch/pod-name');
}

export function revisionOf({metadata}: Pod): string | undefined {
  return metadata.labels?.[revisionLabel];
}

/** The pod with an ordinal, from a template. Its name, host name and claims depend only on the set and the ordinal. */
export function newPod(naming: NamingProfile, set: StatefulSet, template: PodTemplateSpec, revision: string, ordinal: number): Pod {
  const name = podName(set, ordinal);
  const {labels, annotations, finalizers} = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: set.metadata.namespace!,
      labels: {...labels, [podNameLabel(naming)]: name, [revisionLabel]: revision},
      ...(annotations ? {annotations} : {}),
      ...(finalizers ? {finalizers} : {}),
      ownerReferences: [controllerReference(set, setVersion, setKind)],
    },
    spec: {
      ...template.spec,
      hostname: name,
      ...(set.spec?.serviceName ? {subdomain: set.spec.serviceName} : {}),
      volumes: volumesOf(set, ordinal, template.spec?.volumes ?? []),
    },
  };
}
