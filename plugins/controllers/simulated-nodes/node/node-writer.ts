import {isAlreadyExists, isNotFound, microTime, secondTime, type ApiObject, type ResourceClient} from '../../../../sdk/index.js';
import {sameValue} from '../../../../sdk/validation/index.js';
import type {Node, NodeCondition} from '../../../../sdk/types/unchecked/core/v1.js';
import {fieldManager, leaseType, nodeType} from '../names.js';
import type {NodeAddresses} from './node-addresses.js';
import {changedAllocatable, conditionsOf, firstStatus, type NodeReporter} from './node-object.js';
import type {SimulatedNode} from './simulated-node.js';

/** As kubelets have it. */
const leaseSeconds = 40;
/** Of nodes that say nothing of it. */
const defaultCapacity = {cpu: '4', 'ephemeral-storage': '100Gi', memory: '16Gi', pods: '110'};

export interface NodeWriterOptions {
  readonly resources: ResourceClient;
  readonly reporter: NodeReporter;
  readonly leaseNamespace: string;
}

/** Writes what a kubelet writes of its node. */
export class NodeWriter {
  readonly #options: NodeWriterOptions;
  readonly #addresses: NodeAddresses;

  constructor(options: NodeWriterOptions, addresses: NodeAddresses) {
    this.#options = options;
    this.#addresses = addresses;
  }

  /** @throws StatusError 409 if it is there */
  async create(node: Node): Promise<void> {
    await this.#options.resources.create(nodeType, '', node as ApiObject, {fieldManager});
  }

  /** Reports what is not reported yet, or is due again. Answers whether that was something. @throws StatusError */
  async report(node: Node, simulated: SimulatedNode, now: number): Promise<boolean> {
    const {resources} = this.#options;
    const {name = '', uid} = node.metadata;
    const spec = this.#specOf(node);
    if (spec) await resources.patch(nodeType, '', name, {metadata: {uid}, spec}, '', {fieldManager});
    const status = this.#statusOf(node, simulated, now);
    if (status) await resources.patch(nodeType, '', name, {metadata: {uid}, status}, 'status', {fieldManager});
    return status !== undefined;
  }

  /** Renews the lease of a node, or makes it. @throws StatusError */
  async renew(node: SimulatedNode, now: number): Promise<void> {
    const {resources, leaseNamespace} = this.#options;
    const renewTime = microTime(now);
    const {name, uid} = node;
    if (node.hasLease) {
      try {
        await resources.patch(leaseType, leaseNamespace, name, {spec: {renewTime}}, '', {fieldManager});
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    const spec = {holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime};
    const ownerReferences = [{apiVersion: 'v1', kind: 'Node', name, uid}];
    try {
      await resources.create(
        leaseType,
        leaseNamespace,
        {metadata: {name, namespace: leaseNamespace, ownerReferences}, spec},
        {fieldManager},
      );
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await resources.patch(leaseType, leaseNamespace, name, {metadata: {ownerReferences}, spec}, '', {fieldManager});
    }
    node.hasLease = true;
  }

  /**
   * What is missing in the spec: addresses for pods, and that the taint goes which every new node has until it reports. Where a controller looks after taints it may be first.
   */
  #specOf({spec = {}, status}: Node): object | undefined {
    const {keys} = this.#options.reporter;
    const {podCIDR = '', taints = []} = spec;
    const isReady = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
    const left = isReady
      ? taints.filter(({key, effect, timeAdded}) => key !== keys.notReady || effect !== 'NoSchedule' || timeAdded)
      : taints;
    if (podCIDR !== '' && left.length === taints.length) return undefined;
    const blocks = podCIDR === '' ? this.#addresses.podBlocks(Number(status?.capacity?.['pods'] ?? defaultCapacity.pods)) : [];
    return {
      ...(podCIDR === '' ? {podCIDR: blocks[0], podCIDRs: blocks} : {}),
      ...(left.length === taints.length ? {} : {taints: left.length === 0 ? null : left}),
    };
  }

  /** As a merge patch. */
  #statusOf(node: Node, simulated: SimulatedNode, now: number): object | undefined {
    const {reporter} = this.#options;
    const {status} = node;
    if (!status?.nodeInfo?.kubeletVersion || !status.addresses?.length || !status.allocatable)
      return firstStatus(node, defaultCapacity, this.#addresses.machine(), simulated.faults, now, reporter);
    const conditions = conditionsOf(node, simulated.faults, now);
    const version =
      status.nodeInfo.kubeletVersion === reporter.version ? {} : {nodeInfo: {...status.nodeInfo, kubeletVersion: reporter.version}};
    const amounts = changedAllocatable(status);
    const isSame = sameValue(unstamped(conditions), unstamped(status.conditions ?? [])) && Object.keys(version).length === 0 && !amounts;
    return isSame && now < simulated.reportAt ? undefined : {conditions, ...version, ...(amounts ? {allocatable: amounts} : {})};
  }
}

/** Conditions without the times at which they were heard of. */
function unstamped(conditions: readonly NodeCondition[]): NodeCondition[] {
  const heard = secondTime(0);
  return conditions.map((condition) => ({...condition, lastHeartbeatTime: heard}));
}
