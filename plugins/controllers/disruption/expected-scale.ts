import {ifFound, type ApiObject, type NamingProfile, type ResourceClient, type ServedResource} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {controllerOf} from '../../families/workload-pods/controller-reference.js';

type Owner = NonNullable<ReturnType<typeof controllerOf>>;

/** What the owners of pods want. */
export interface ExpectedScale {
  /** Each owner counts once; of a ReplicaSet that a Deployment controls, the Deployment. */
  readonly replicas: number;
  /** Whether there are pods that nobody controls: they do not count. */
  readonly hasUnmanaged: boolean;
}

/**
 * The total number of pods that the owners of pods want, by their scale.
 *
 * @throws Error for a pod whose owner does not exist or has no scale, in the words of Kubernetes
 */
export async function expectedScale(
  resources: ResourceClient,
  naming: NamingProfile,
  namespace: string,
  pods: readonly Pod[],
): Promise<ExpectedScale> {
  const wanted = new Map<string, number>();
  const known = new Set<string>();
  let hasUnmanaged = false;
  for (const pod of pods) {
    const owner = controllerOf(pod);
    hasUnmanaged ||= owner === undefined;
    if (!owner || known.has(owner.uid)) continue;
    known.add(owner.uid);
    const scale = await scaleOf(resources, naming, namespace, owner);
    if (!scale) throw new Error(`found no controllers for pod ${JSON.stringify(pod.metadata.name)}`);
    wanted.set(scale.uid, scale.replicas);
  }
  return {replicas: [...wanted.values()].reduce((sum, replicas) => sum + replicas, 0), hasUnmanaged};
}

interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

type Scaled = ApiObject & {readonly spec?: {readonly replicas?: number}};

/** Undefined for an owner that is gone. @throws Error for one that has no scale */
async function scaleOf(resources: ResourceClient, naming: NamingProfile, namespace: string, owner: Owner): Promise<Scale | undefined> {
  const type = typeOf(resources, naming, owner);
  if (!type) throw new Error(`no matches for kind ${JSON.stringify(owner.kind)} in version ${JSON.stringify(owner.apiVersion)}`);
  if (type.group === 'apps' && owner.kind === 'ReplicaSet') {
    const set = await read(resources, naming, namespace, owner);
    const above = set && controllerOf(set);
    const deployment = above?.kind === 'Deployment' ? await read(resources, naming, namespace, above) : undefined;
    if (deployment) return {uid: deployment.metadata.uid!, replicas: (deployment as Scaled).spec?.replicas ?? 0};
    if (!set || above?.kind === 'Deployment') return undefined;
  }
  const scale = (await ifFound(resources.get(type, namespace, owner.name, {subresource: 'scale'}))) as Scaled | undefined;
  if (scale) return scale.metadata.uid === owner.uid ? {uid: owner.uid, replicas: scale.spec?.replicas ?? 0} : undefined;
  // It is gone, or its type has no scale.
  if (!(await read(resources, naming, namespace, owner))) return undefined;
  throw new Error(`${type.group === '' ? type.resource : `${type.resource}.${type.group}`} does not implement the scale subresource`);
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
