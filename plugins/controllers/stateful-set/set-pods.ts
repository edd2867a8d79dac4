import {ifFound, type ResourceClient} from '../../../sdk/index.js';
import {selectorMatches, selectorText} from '../../../sdk/labels/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {controllerOf, controllerReference, ownersPatch} from '../../families/workload-pods/controller-reference.js';
import {podIdentity, pods, setKind, setVersion, statefulSets} from './set-object.js';

/**
 * The stored pods that a set controls. Matching pods without a controller are adopted; those whose labels no longer match are released.
 *
 * @param known names of pods known to be controlled by a set of this name; pods that match the selector need not be included
 */
export async function podsOf(resources: ResourceClient, set: StatefulSet, known: ReadonlySet<string>): Promise<Pod[]> {
  const namespace = set.metadata.namespace!;
  const {items} = await resources.list(pods, namespace, {labelSelector: selectorText(set.spec?.selector)});
  const selected = (items as Pod[]).filter(({metadata}) => podIdentity(metadata.name!)?.set === set.metadata.name);
  const own: Pod[] = [];
  for (const pod of selected) {
    const controller = controllerOf(pod);
    if (controller?.uid === set.metadata.uid) own.push(pod);
    else if (controller === undefined && !set.metadata.deletionTimestamp && !pod.metadata.deletionTimestamp)
      own.push(await adopt(resources, set, pod));
  }
  const names = new Set(selected.map(({metadata}) => metadata.name!));
  for (const name of known) if (!names.has(name)) await release(resources, set, name);
  return own;
}

/** Fails if the set no longer exists or is being deleted, which the next reconciliation will find. */
async function adopt(resources: ResourceClient, set: StatefulSet, pod: Pod): Promise<Pod> {
  const {metadata} = await resources.get(statefulSets, set.metadata.namespace!, set.metadata.name!);
  if (metadata.uid !== set.metadata.uid || metadata.deletionTimestamp)
    throw new Error(`the set ${set.metadata.name} has changed: its pod ${pod.metadata.name} is not taken over`);
  const owners = [...(pod.metadata.ownerReferences ?? []), controllerReference(set, setVersion, setKind)];
  return (await resources.patch(pods, pod.metadata.namespace!, pod.metadata.name!, ownersPatch(pod, owners))) as Pod;
}

async function release(resources: ResourceClient, set: StatefulSet, name: string): Promise<void> {
  if (set.metadata.deletionTimestamp) return;
  const pod = await ifFound(resources.get(pods, set.metadata.namespace!, name));
  if (!pod || controllerOf(pod)?.uid !== set.metadata.uid || selectorMatches(set.spec?.selector, pod.metadata.labels)) return;
  const others = pod.metadata.ownerReferences?.filter(({uid}) => uid !== set.metadata.uid) ?? [];
  await ifFound(resources.patch(pods, set.metadata.namespace!, name, ownersPatch(pod, others)));
}
