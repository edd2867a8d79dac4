import type {NamingProfile} from '../../../sdk/index.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';
import {hasTaint} from '../../families/nodes/node-taints.js';

/** The condition Ready of a node. */
export interface ReadyState {
  readonly status: string;
  /** Times as texts: only whether they change is of interest. */
  readonly heartbeat: string;
  readonly transition: string;
}

/** A node, as far as its life is concerned. */
export interface NodeRecord {
  readonly name: string;
  readonly uid: string;
  /** Region and zone. */
  readonly zone: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** Undefined before it has reported. */
  readonly ready: ReadyState | undefined;
  /** Whether it has the taints by which pods leave a node that is not ready, or silent. */
  readonly isTaintedNotReady: boolean;
  readonly isTaintedUnreachable: boolean;
  /** Whether it does not count when zones are in trouble. */
  readonly isExcluded: boolean;
}

/** The names that nodes are described in. */
export class NodeKeys {
  readonly notReady: string;
  readonly unreachable: string;
  readonly #excluded: string;
  readonly #zoneLabels: readonly (readonly [region: string, zone: string])[];

  constructor(naming: NamingProfile) {
    this.notReady = naming.key('node.orch/not-ready');
    this.unreachable = naming.key('node.orch/unreachable');
    this.#excluded = naming.key('node.orch/exclude-disruption');
    this.#zoneLabels = ['topology.orch', 'failure-domain.beta.orch'].map((domain) => [
      naming.key(`${domain}/region`),
      naming.key(`${domain}/zone`),
    ]);
  }

  /** Summary of a node. */
  record(node: Node): NodeRecord {
    const {metadata, status} = node;
    const labels = metadata.labels ?? {};
    const ready = status?.conditions?.find(({type}) => type === 'Ready');
    return {
      name: metadata.name ?? '',
      uid: metadata.uid ?? '',
      zone: this.#zoneOf(labels),
      createdAt: Date.parse(metadata.creationTimestamp ?? '') || 0,
      ready: ready && {
        status: ready.status ?? '',
        heartbeat: ready.lastHeartbeatTime ?? '',
        transition: ready.lastTransitionTime ?? '',
      },
      isTaintedNotReady: hasTaint(node, this.notReady, 'NoExecute'),
      isTaintedUnreachable: hasTaint(node, this.unreachable, 'NoExecute'),
      isExcluded: Object.hasOwn(labels, this.#excluded),
    };
  }

  #zoneOf(labels: Readonly<Record<string, string | undefined>>): string {
    const of = (index: 0 | 1) => this.#zoneLabels.map((keys) => labels[keys[index]] ?? '').find(Boolean) ?? '';
    return `${of(0)}\n${of(1)}`;
  }
}
