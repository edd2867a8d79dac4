import type {Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {nodeRequirements} from '../../../families/placement/node-terms.js';
import {tolerates} from '../../../families/placement/tolerations.js';
import type {NodeLoad} from '../node/node-load.js';
import {unitsOf, type PodDemand} from '../node/pod-demand.js';
import type {SimulatedNode} from '../node/simulated-node.js';

/** Why a kubelet does not take a pod, in its words. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

const own = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Whether the kubelet of a node takes a pod that has been bound to it, beside those that it has taken; undefined if it does. Makes no room for critical pods. */
export function refusalOf({metadata, spec = {}, status}: Pod, node: SimulatedNode, load: NodeLoad, demand: PodDemand): Refusal | undefined {
  const wantedOs = metadata.labels?.[node.osLabel];
  if (wantedOs !== undefined && wantedOs !== 'linux')
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    };
  if (spec.os && spec.os.name !== 'linux')
    return {reason: 'PodOSNotSupported', message: "Failed to admit pod as the OS field doesn't match node OS"};
  const byClaim = new Set(status?.extendedResourceClaimStatus?.requestMappings?.map(({resourceName = ''}) => resourceName));
  const lack = lackOf(node, load, demand, byClaim);
  if (lack) return lack;
  const requirements = nodeRequirements(spec);
  if (requirements && !requirements.matches(node)) return failed('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  if (load.isTaken(demand.ports)) return failed('NodePorts', "node(s) didn't have free ports for the requested pod ports");
  const expels = node.taints.some(
    (taint) => taint.effect === 'NoExecute' && !(spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
  );
  return expels ? failed('TaintToleration', "node(s) had taints that the pod didn't tolerate") : undefined;
}

/** Resources in the order in which they are looked at. Extended ones that a node does not have are somebody else's, as are those that the pod has got by a claim. */
function lackOf(node: SimulatedNode, load: NodeLoad, {amounts}: PodDemand, byClaim: ReadonlySet<string>): Refusal | undefined {
  const all: (readonly [resource: string, requested: number, used: number])[] = [
    ['pods', 1, load.count],
    ...[...own].map((resource) => [resource, amounts.get(resource) ?? 0, load.sumOf(resource)] as const),
    ...[...amounts].filter(([name]) => !own.has(name)).map(([name, amount]) => [name, amount, load.sumOf(name)] as const),
  ];
  for (const [resource, requested, used] of all) {
    const given = node.capacity[resource];
    if (requested === 0 || (given === undefined && resource.includes('/')) || byClaim.has(resource)) continue;
    const capacity = unitsOf(resource, given);
    if (requested <= capacity - used) continue;
    const amount = `requested: ${requested}, used: ${used}, capacity: ${capacity}`;
    return {reason: `OutOf${resource}`, message: `Node didn't have enough resource: ${resource}, ${amount}`};
  }
  return undefined;
}

function failed(predicate: string, description: string): Refusal {
  return {reason: predicate, message: `Predicate ${predicate} failed: ${description}`};
}
