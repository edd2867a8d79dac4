import {createHash} from 'node:crypto';
import {secondTime, type FeatureGates} from '../../../../sdk/index.js';
import type {Node, NodeCondition, NodeStatus} from '../../../../sdk/types/unchecked/core/v1.js';
import type {NodeKeys} from '../names.js';
import {nodeAnnotation, type NodeFault, type NodePool} from './node-form.js';

const kubeletPort = 10_250;

/** What a simulated kubelet says of itself and its machine. */
export interface NodeReporter {
  readonly keys: NodeKeys;
  readonly gates: FeatureGates;
  /** `v1.36.0`. */
  readonly version: string;
}

/** A Node as its kubelet registers it, without status. */
export function newNode(name: string, pool: NodePool, index: number, {keys}: NodeReporter): Node {
  const {labels, taints, zones} = pool;
  const zone = zones.length === 0 ? {} : {[keys.zone]: zones[index % zones.length]!};
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {...keys.system, [keys.hostname]: name, ...zone, ...labels},
      annotations: {[nodeAnnotation]: 'true', [keys.attachDetach]: 'true'},
    },
    spec: taints.length === 0 ? {} : {taints: taints.map((taint) => ({...taint}))},
  };
}

/** What is reported of a node for the first time: all of its status that it does not have yet. */
export function firstStatus(
  node: Node,
  capacity: Readonly<Record<string, string>>,
  addresses: readonly string[],
  faults: ReadonlySet<NodeFault>,
  now: number,
  reporter: NodeReporter,
): NodeStatus {
  const {status = {}, metadata} = node;
  const name = metadata.name ?? '';
  const whole = {...status.capacity, ...(status.capacity ? {} : {...capacity, 'hugepages-1Gi': '0', 'hugepages-2Mi': '0'})};
  return {
    ...status,
    capacity: whole,
    allocatable: status.allocatable ?? whole,
    addresses: status.addresses?.length
      ? status.addresses
      : [...addresses.map((address) => ({type: 'InternalIP', address})), {type: 'Hostname', address: name}],
    conditions: conditionsOf(node, faults, now),
    daemonEndpoints: {kubeletEndpoint: {Port: kubeletPort}},
    nodeInfo: nodeInfo(name, metadata.uid ?? name, reporter),
    ...runtimeFeatures(reporter.gates),
  };
}

/**
 * What kubelets change of the allocatable amounts when others change the capacity, as a merge patch; undefined for nothing. Of extended resources, which are made by writing them into the
 * capacity, pods may have all.
 */
export function changedAllocatable({capacity = {}, allocatable = {}}: NodeStatus): Record<string, string | null> | undefined {
  const isExtended = (name: string) => name.includes('/');
  const changes = [
    ...Object.entries(capacity).filter(([name, amount]) => isExtended(name) && allocatable[name] !== amount),
    ...Object.keys(allocatable)
      .filter((name) => isExtended(name) && capacity[name] === undefined)
      .map((name) => [name, null] as const),
  ];
  return changes.length === 0 ? undefined : (Object.fromEntries(changes) as Record<string, string | null>);
}

/** The conditions that a kubelet reports, in its words; those of others stay as they are. */
export function conditionsOf({status = {}}: Node, faults: ReadonlySet<NodeFault>, now: number): NodeCondition[] {
  const before = status.conditions ?? [];
  const own = wordsOf(faults).map((condition): NodeCondition => {
    const old = before.find(({type}) => type === condition.type);
    const time = secondTime(now);
    const lastTransitionTime = old?.status === condition.status ? (old?.lastTransitionTime ?? time) : time;
    return {...condition, lastHeartbeatTime: time, lastTransitionTime};
  });
  return [...before.filter(({type}) => !own.some((one) => one.type === type)), ...own];
}

function wordsOf(faults: ReadonlySet<NodeFault>): NodeCondition[] {
  return [
    faults.has('memory')
      ? {
          type: 'MemoryPressure',
          status: 'True',
          reason: 'KubeletHasInsufficientMemory',
          message: 'kubelet has insufficient memory available',
        }
      : {
          type: 'MemoryPressure',
          status: 'False',
          reason: 'KubeletHasSufficientMemory',
          message: 'kubelet has sufficient memory available',
        },
    faults.has('disk')
      ? {type: 'DiskPressure', status: 'True', reason: 'KubeletHasDiskPressure', message: 'kubelet has disk pressure'}
      : {type: 'DiskPressure', status: 'False', reason: 'KubeletHasNoDiskPressure', message: 'kubelet has no disk pressure'},
    faults.has('pids')
      ? {type: 'PIDPressure', status: 'True', reason: 'KubeletHasInsufficientPID', message: 'kubelet has insufficient PID available'}
      : {type: 'PIDPressure', status: 'False', reason: 'KubeletHasSufficientPID', message: 'kubelet has sufficient PID available'},
    {type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status'},
  ];
}

function nodeInfo(name: string, seed: string, {version}: NodeReporter): NonNullable<NodeStatus['nodeInfo']> {
  const digits = createHash('sha256').update(`${name} ${seed}`).digest('hex');
  const uuid = (from: number) => {
    const part = digits.slice(from, from + 32);
    return [part.slice(0, 8), part.slice(8, 12), part.slice(12, 16), part.slice(16, 20), part.slice(20)].join('-');
  };
  return {
    machineID: digits.slice(0, 32),
    systemUUID: uuid(0),
    bootID: uuid(32),
    kernelVersion: '6.12.0-simulated',
    osImage: 'Simulated node',
    containerRuntimeVersion: 'simulated://1.0.0',
    kubeletVersion: version,
    kubeProxyVersion: version,
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
}

function runtimeFeatures(gates: FeatureGates): Partial<NodeStatus> {
  return {
    ...(gates.enabled('RecursiveReadOnlyMounts') ? {runtimeHandlers: [{name: '', features: {recursiveReadOnlyMounts: true}}]} : {}),
    ...(gates.enabled('SupplementalGroupsPolicy') ? {features: {supplementalGroupsPolicy: true}} : {}),
  };
}
