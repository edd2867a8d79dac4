import {AmountSums} from './amounts.js';
import {collide, type HostPort} from './host-ports.js';
import type {KnownPod} from './known-pod.js';
import type {NodeFacts, PodPlace} from './node-facts.js';

/** A node with the pods on it, and what they take together. */
export class NodeState implements PodPlace {
  readonly name: string;
  /** Undefined while only its pods are known. */
  facts: NodeFacts | undefined;
  readonly pods: Map<string, KnownPod>;
  readonly requested: AmountSums;
  /** For scores, with what containers count for that ask for nothing. */
  scoredCpu = 0;
  scoredMemory = 0;
  /** Taken by its pods. */
  readonly ports: HostPort[];

  constructor(name: string, from?: NodeState) {
    this.name = name;
    this.facts = from?.facts;
    this.pods = new Map(from?.pods);
    this.requested = from?.requested.copy() ?? new AmountSums();
    this.ports = [...(from?.ports ?? [])];
    if (!from) return;
    this.scoredCpu = from.scoredCpu;
    this.scoredMemory = from.scoredMemory;
  }

  add(pod: KnownPod): void {
    this.pods.set(pod.key, pod);
    this.#count(pod, 1);
    this.ports.push(...pod.shape.ports);
  }

  remove(pod: KnownPod): void {
    this.pods.delete(pod.key);
    this.#count(pod, -1);
    for (const port of pod.shape.ports) {
      const index = this.ports.findIndex((one) => one === port || isSamePort(one, port));
      if (index >= 0) this.ports.splice(index, 1);
    }
  }

  /** Whether a port of a pod is taken. */
  hasTaken(ports: readonly HostPort[]): boolean {
    return ports.some((port) => this.ports.some((taken) => collide(taken, port)));
  }

  #count({shape}: KnownPod, sign: 1 | -1): void {
    const {requests, scored} = shape.amounts;
    this.requested.add(requests, sign);
    this.scoredCpu += sign * scored.cpu;
    this.scoredMemory += sign * scored.memory;
  }
}

function isSamePort(left: HostPort, right: HostPort): boolean {
  return left.port === right.port && left.protocol === right.protocol && left.address === right.address;
}

/** A node that is there. */
export type ReadyNode = NodeState & {readonly facts: NodeFacts};
