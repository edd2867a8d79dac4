import {isNotFound, type ResourceClient} from '../../../sdk/index.js';
import {selectorMatches, selectorText} from '../../../sdk/labels/index.js';
import {controllerOf, controllerReference, ownersPatch} from '../../families/workload-pods/controller-reference.js';
import type {Pod} from '../../families/workload-pods/pod-state.js';
import {podIdentity, pods, setKind, setVersion, statefulSets, type StatefulSet} from './set-object.js';

/**
 * The pods that a set controls, as the store has them. Pods that it could have made and nobody controls become its own; those whose labels it does not
 * select any more are let go.
 *
 * @param known names of pods that are known to be controlled by a set of this name; pods that the selector finds need not be among them
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

/** Fails when the set is no longer there, or is being deleted: the next look finds out. */
async function adopt(resources: ResourceClient, set: StatefulSet, pod: Pod): Promise<Pod> {
  const {metadata} = await resources.get(statefulSets, set.metadata.namespace!, set.metadata.name!);
  if (metadata.uid !== set.metadata.uid || metadata.deletionTimestamp)
    throw new Error(`the set ${set.metadata.name} has changed: its pod ${pod.metadata.name} is not taken over`);
  const owners = [...(pod.metadata.ownerReferences ?? []), controllerReference(set, setVersion, setKind)];
  return (await resources.patch(pods, pod.metadata.namespace!, pod.metadata.name!, ownersPatch(pod, owners))) as Pod;
}

async function release(resources: ResourceClient, set: StatefulSet, name: string): Promise<void> {
  if (set.metadata.deletionTimestamp) return;
  try {
    const pod = await resources.get(pods, set.metadata.namespace!, name);
    if (controllerOf(pod)?.uid !== set.metadata.uid || selectorMatches(set.spec?.selector, pod.metadata.labels)) return;
    const others = pod.metadata.ownerReferences?.filter(({uid}) => uid !== set.metadata.uid) ?? [];
    await resources.patch(pods, set.metadata.namespace!, name, ownersPatch(pod, others));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
