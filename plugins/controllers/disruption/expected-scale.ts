import {ifFound, type ApiObject, type NamingProfile, type ResourceClient, type ServedResource} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {controllerOf} from '../../families/workload-pods/controller-reference.js';

type Owner = NonNullable<ReturnType<typeof controllerOf>>;

/**
 * The total number of pods that the owners of pods want. Each owner counts once; pods without an owner do not count. If a ReplicaSet is
 * controlled by a Deployment, the Deployment counts.
 *
 * @throws Error for a pod whose owner does not exist or does not say how many it wants
 */
export async function expectedScale(
  resources: ResourceClient,
  naming: NamingProfile,
  namespace: string,
  pods: readonly Pod[],
): Promise<number> {
  const owners = new Map<string, {owner: Owner; pod: string}>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner && !owners.has(owner.uid)) owners.set(owner.uid, {owner, pod: pod.metadata.name!});
  }
  const wanted = new Map<string, number>();
  for (const {owner, pod} of owners.values()) {
    let object = await read(resources, naming, namespace, owner);
    const above = object && owner.kind === 'ReplicaSet' ? controllerOf(object) : undefined;
    if (above?.kind === 'Deployment') object = (await read(resources, naming, namespace, above)) ?? object;
    if (object === undefined) throw new Error(`the ${owner.kind} "${owner.name}", which controls the pod "${pod}", is not there`);
    wanted.set(object.metadata.uid ?? '', replicasOf(object, owner));
  }
  return [...wanted.values()].reduce((sum, replicas) => sum + replicas, 0);
}

function replicasOf(object: ApiObject, {kind, name}: Owner): number {
  const {replicas} = (object as ApiObject & {spec?: {replicas?: unknown}}).spec ?? {};
  if (typeof replicas === 'number') return replicas;
  throw new Error(`the ${kind} "${name}" does not say in spec.replicas how many pods it wants: use minAvailable with a number`);
}

async function read(resources: ResourceClient, naming: NamingProfile, namespace: string, owner: Owner): Promise<ApiObject | undefined> {
  const type = typeOf(resources, naming, owner);
  if (type === undefined) return undefined;
  const object = await ifFound(resources.get(type, namespace, owner.name));
  return object?.metadata.uid === owner.uid ? object : undefined;
}

/** The type of a reference, in its version or any other: versions change over time. */
function typeOf(resources: ResourceClient, naming: NamingProfile, {apiVersion, kind}: Owner): ServedResource | undefined {
  const [version, group = ''] = apiVersion.split('/').reverse() as [string, string?];
  const types = resources
    .resources()
    .filter((type) => type.kind === kind && type.namespaced && type.group === naming.group(group) && !type.resource.includes('/'));
  return types.find((type) => type.version === version) ?? types[0];
}
