import {
  conflict,
  FieldPath,
  invalidObject,
  isConflict,
  notSupported,
  required,
  type FeatureGates,
  type FieldError,
  type ResourceClient,
  type VirtualRequest,
} from '../../../sdk/index.js';
import type {Binding, Pod, PodCondition} from '../../../sdk/types/unchecked/core/v1.js';
import {pods} from './pod.js';

const targetPath = FieldPath.of('target');
const attempts = 20;

/** What pods are assigned with. */
export interface Assigning {
  readonly resources: ResourceClient;
  /** Whether labels of the binding are copied to the pod, as annotations are. */
  readonly copiesLabels: boolean;
  /** Whether the node that the pod was promised is forgotten. */
  readonly clearsNomination: boolean;
}

/** @param gates of the release */
export function assigningWith(resources: ResourceClient, gates: Pick<FeatureGates, 'enabled'>): Assigning {
  return {
    resources,
    copiesLabels: gates.enabled('PodTopologyLabelsAdmission'),
    clearsNomination: gates.enabled('ClearingNominatedNodeNameAfterBinding'),
  };
}

/**
 * Binds a pod to a node: once, and only while the pod is not being deleted. Annotations of the binding are copied to the pod.
 *
 * @param podName the pod's name
 * @throws StatusError 404, 409 if the pod already has a node, is being deleted or has scheduling gates, 422
 */
export async function assignPod(
  assigning: Assigning,
  podName: string,
  binding: Binding,
  {namespace, dryRun, now}: VirtualRequest,
): Promise<void> {
  const {resources} = assigning;
  const faults = bindingFaults(binding);
  if (faults.length > 0) throw invalidObject({group: '', kind: 'Binding'}, binding.metadata.name ?? '', faults);
  for (let attempt = 1; ; attempt += 1) {
    const pod = (await resources.get(pods, namespace, podName)) as Pod;
    checkAssignable(pod, podName, binding);
    if (dryRun) return;
    try {
      await resources.update(pods, namespace, assigned(pod, binding, now, assigning), 'binding');
      return;
    } catch (error) {
      // Another writer has changed the pod; preconditions on its version are checked again above.
      if (!isConflict(error) || attempt === attempts) throw error;
    }
  }
}

function bindingFaults({target = {}}: Binding): FieldError[] {
  const faults: FieldError[] = [];
  if (target.kind && target.kind !== 'Node') faults.push(notSupported(targetPath.child('kind'), target.kind, ['Node', '<empty>']));
  if (!target.name) faults.push(required(targetPath.child('name')));
  return faults;
}

function checkAssignable({metadata, spec}: Pod, name: string, binding: Binding): void {
  const refuse = (detail: string) => conflict({group: '', resource: 'pods/binding', name}, detail);
  const {uid, resourceVersion} = binding.metadata;
  if (uid && uid !== metadata.uid)
    throw refuse(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid ?? ''}`);
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    throw refuse(
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion ?? ''}`,
    );
  }
  if (metadata.deletionTimestamp) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (spec?.nodeName) throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  if (spec?.schedulingGates?.length) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
}

function assigned(pod: Pod, {target, metadata}: Binding, now: Date, {copiesLabels, clearsNomination}: Assigning): Pod {
  const {nominatedNodeName, ...status} = pod.status ?? {};
  const others = (pod.status?.conditions ?? []).filter(({type}) => type !== 'PodScheduled');
  const scheduled: PodCondition = {type: 'PodScheduled', status: 'True', lastTransitionTime: `${now.toISOString().slice(0, 19)}Z`};
  const annotations = [...Object.entries(pod.metadata.annotations ?? {}), ...Object.entries(metadata.annotations ?? {})];
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(annotations.length === 0 ? {} : {annotations: Object.fromEntries(annotations)}),
      ...(copiesLabels && metadata.labels ? {labels: {...pod.metadata.labels, ...metadata.labels}} : {}),
    },
    spec: {...pod.spec, nodeName: target?.name ?? ''},
    status: {
      ...status,
      ...(nominatedNodeName === undefined || clearsNomination ? {} : {nominatedNodeName}),
      conditions: [...others, scheduled],
    },
  };
}
