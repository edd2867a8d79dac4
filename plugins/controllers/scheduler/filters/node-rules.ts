import type {Taint} from '../../../../sdk/types/unchecked/core/v1.js';
import {isKeptAway, tolerates} from '../../../families/placement/tolerations.js';
import {refusal, type Filter} from './filter.js';

const cordoned = refusal(true, 'node(s) were unschedulable');
const tainted = refusal(true, 'node(s) had untolerated taint(s)');
const unmatched = refusal(true, "node(s) didn't match Pod's node affinity/selector");
const contradictory = refusal(true, 'pod affinity terms conflict');
const portsTaken = refusal(false, "node(s) didn't have free ports for the requested pod ports");

/** No pods come to a node that is marked so, except those that tolerate it. @param key of the taint that means the same */
export function nodeUnschedulable(key: string): Filter {
  const taint: Taint = {key, effect: 'NoSchedule'};
  return {
    name: 'NodeUnschedulable',
    prepare: ({shape}) => {
      if (shape.tolerations.some((each) => tolerates(each, taint))) return undefined;
      return {check: ({facts}) => (facts.unschedulable ? cordoned : undefined)};
    },
    mayHelp: (_pod, event) => event.type === 'node' && !event.now.unschedulable && (event.before?.unschedulable ?? true),
  };
}

/** Taints keep pods away that do not tolerate them. */
export const taintToleration: Filter = {
  name: 'TaintToleration',
  prepare: ({shape: {tolerations}}) => ({
    check: ({facts}) => (facts.taints.length > 0 && isKeptAway(facts.taints, tolerations) ? tainted : undefined),
  }),
  mayHelp: ({shape: {tolerations}}, event) =>
    event.type === 'node' && !isKeptAway(event.now.taints, tolerations) && (!event.before || isKeptAway(event.before.taints, tolerations)),
};

/** The node selector of a pod, and what its affinity requires of nodes. */
export const nodeAffinity: Filter = {
  name: 'NodeAffinity',
  prepare: ({shape: {nodes}}) => {
    if (!nodes) return undefined;
    if (nodes.names?.size === 0) return {everywhere: contradictory};
    return {only: nodes.names, check: ({facts}) => (nodes.matches(facts) ? undefined : unmatched)};
  },
  mayHelp: ({shape: {nodes}}, event) =>
    event.type === 'node' && (!nodes || (nodes.matches(event.now) && (!event.before || !nodes.matches(event.before)))),
};

/** Ports of a node are taken once. */
export const nodePorts: Filter = {
  name: 'NodePorts',
  prepare: ({shape: {ports}}) => (ports.length === 0 ? undefined : {check: (node) => (node.hasTaken(ports) ? portsTaken : undefined)}),
  mayHelp: (_pod, event) => (event.type === 'node' ? !event.before : event.type === 'removed' && event.pod.shape.ports.length > 0),
};
