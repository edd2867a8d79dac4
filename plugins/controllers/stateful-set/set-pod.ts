import type {NamingProfile} from '../../../sdk/index.js';
import type {Pod, PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {controllerReference} from '../../families/workload-pods/controller-reference.js';
import {volumesOf} from './set-claims.js';
import {podName, setKind, setVersion, type SetFeatures} from './set-object.js';

/** The revision of the set's template from which a pod was created. */
const revisionLabel = 'controller-revision-hash';

/** The labels by which a pod can be selected alone: its name, and where the feature is on its ordinal. */
export function identityLabels(naming: NamingProfile, {indexLabel}: SetFeatures, name: string, ordinal: number): Record<string, string> {
  return {
    [naming.key('statefulset.orch/pod-name')]: name,
    ...(indexLabel ? {[naming.key('apps.orch/pod-index')]: String(ordinal)} : {}),
  };
}

/** Whether a pod has the label with its name, which makes it one of its set. */
export function hasIdentity(naming: NamingProfile, {metadata}: Pod): boolean {
  return metadata.labels?.[naming.key('statefulset.orch/pod-name')] === metadata.name;
}

export function revisionOf({metadata}: Pod): string | undefined {
  return metadata.labels?.[revisionLabel];
}

/** The pod with an ordinal, from a template. Its name, host name and claims depend only on the set and the ordinal. */
export function newPod(
  {naming, features}: {readonly naming: NamingProfile; readonly features: SetFeatures},
  set: StatefulSet,
  template: PodTemplateSpec,
  revision: string,
  ordinal: number,
): Pod {
  const name = podName(set, ordinal);
  const {labels, annotations, finalizers} = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: set.metadata.namespace!,
      labels: {...labels, ...identityLabels(naming, features, name, ordinal), [revisionLabel]: revision},
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
