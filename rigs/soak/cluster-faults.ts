import type {Pod} from '../../sdk/types/unchecked/core/v1.js';
import type {SoakWorkload} from './cluster-worker.js';
import type {SoakServers} from './soak-servers.js';

interface Rollout {
  readonly metadata: {readonly uid: string; readonly generation: number};
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly succeeded?: number;
    readonly conditions?: readonly {readonly type: string; readonly status: string}[];
  };
}

/** What is not as it should be of the pods of workloads: those that are doubled, forgotten, left over, or on a node that has no room for them. */
export async function clusterFaults(workloads: readonly SoakWorkload[], servers: SoakServers, roomOfNode: number): Promise<string[]> {
  const {items: pods} = (await servers.send('GET', '/api/v1/namespaces/default/pods')).json<{items: Pod[]}>();
  const faults = podFaults(workloads, pods, roomOfNode);
  for (const workload of workloads) {
    const answer = await servers.send('GET', workload.path);
    if (answer.status === 200) faults.push(...statusFaults(workload, answer.json<Rollout>()));
    else faults.push(`${workload.path} answers ${answer.status}`);
  }
  const depth = await servers.gauge('workqueue_depth');
  if (depth !== 0) faults.push(`${depth} names wait in queues`);
  return faults;
}

export function podFaults(workloads: readonly SoakWorkload[], pods: readonly Pod[], roomOfNode: number): string[] {
  const faults: string[] = [];
  const byApp = Map.groupBy(pods, ({metadata}) => metadata.labels?.['app'] ?? '');
  for (const workload of workloads) {
    const own = byApp.get(workload.name) ?? [];
    byApp.delete(workload.name);
    faults.push(...(workload.kind === 'Job' ? runFaults(workload, own) : replicaFaults(workload, own)));
  }
  for (const [app, left] of byApp) faults.push(`${left.length} pods of ${app}, which is gone: ${left.map(described).join(', ')}`);
  const running = pods.filter(({status}) => status?.phase === 'Running');
  for (const [node, own] of Map.groupBy(running, ({spec}) => spec?.nodeName ?? ''))
    if (own.length > roomOfNode) faults.push(`${own.length} pods run on ${node}, which has room for ${roomOfNode}`);
  for (const [address, own] of Map.groupBy(running, ({status}) => status?.podIP ?? ''))
    if (own.length > 1) faults.push(`${own.map(described).join(' and ')} have the address ${address}`);
  return faults;
}

/** Pods of a Deployment or a StatefulSet. */
function replicaFaults({kind, name, count, round}: SoakWorkload, own: readonly Pod[]): string[] {
  const faults =
    own.length === count ? [] : [`${kind} ${name} should have ${count} pods, and has ${own.map(described).join(', ') || 'none'}`];
  for (const pod of own) {
    const isReady = pod.status?.conditions?.some(({type, status}) => type === 'Ready' && status === 'True');
    if (!isReady || pod.metadata.labels?.['round'] !== String(round)) faults.push(`${described(pod)} should be ready in round ${round}`);
  }
  if (kind === 'StatefulSet') {
    const wanted = Array.from({length: count}, (_, ordinal) => `${name}-${ordinal}`);
    const names = own.map(({metadata}) => metadata.name!).toSorted();
    if (names.join() !== wanted.join()) faults.push(`StatefulSet ${name} should have ${wanted.join()}, and has ${names.join()}`);
  }
  return faults;
}

/** Pods of a Job: those that succeeded stay, unless somebody deleted them. */
function runFaults({name, count}: SoakWorkload, own: readonly Pod[]): string[] {
  const faults = own.filter(({status}) => status?.phase !== 'Succeeded').map((pod) => `${described(pod)} of a Job should have succeeded`);
  if (own.length > count) faults.push(`Job ${name} should have ${count} pods, and has ${own.map(described).join(', ')}`);
  const indexes = own.flatMap(({metadata}) => metadata.labels?.['batch.kubernetes.io/job-completion-index'] ?? []);
  if (new Set(indexes).size !== indexes.length) faults.push(`an index of the Job ${name} has run twice: ${own.map(described).join(', ')}`);
  const waiting = own.filter(({metadata}) => metadata.finalizers?.length);
  if (waiting.length > 0) faults.push(`${waiting.map(described).join(', ')} wait to be counted`);
  return faults;
}

function statusFaults({kind, path, uid, count}: SoakWorkload, {metadata, status = {}}: Rollout): string[] {
  if (metadata.uid !== uid) return [`${path} is another one`];
  const {observedGeneration, replicas = 0, readyReplicas = 0, succeeded = 0, conditions = []} = status;
  if (kind === 'Job') {
    const isComplete = conditions.some(({type, status: is}) => type === 'Complete' && is === 'True');
    return isComplete && succeeded === count ? [] : [`${path} should have succeeded ${count} times: ${JSON.stringify(status)}`];
  }
  const isRight = observedGeneration === metadata.generation && replicas === count && readyReplicas === count;
  return isRight ? [] : [`${path} should say ${count} replicas: ${JSON.stringify(status)}`];
}

function described({metadata, spec, status}: Pod): string {
  const {name, labels, deletionTimestamp} = metadata;
  return `${name} (${status?.phase} on ${spec?.nodeName ?? 'no node'}, round ${labels?.['round']}${deletionTimestamp ? ', leaving' : ''})`;
}
