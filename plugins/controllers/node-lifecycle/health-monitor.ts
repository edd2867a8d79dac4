import {isNotFound, type Clock, type Logger} from '../../../sdk/index.js';
import type {EventRecorder} from '../../../sdk/controllers/index.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodsByNode} from '../../families/nodes/pods-by-node.js';
import type {NodeKeys, NodeRecord} from './node-record.js';
import type {NodeWriter} from './node-writer.js';
import {SignsOfLife} from './signs-of-life.js';
import type {ZoneRates} from './zone-state.js';
import {Zones, type ZoneCount} from './zones.js';

/** Nodes that are written at the same time. */
const concurrency = 8;

export interface HealthMonitorParts {
  /** By name: those that are there. */
  readonly nodes: ReadonlyMap<string, NodeRecord>;
  readonly keys: NodeKeys;
  readonly pods: PodsByNode;
  readonly writer: NodeWriter;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rates: ZoneRates;
  /** How long a node may be silent, and how long before it has reported for the first time. */
  readonly graceMillis: number;
  readonly startupGraceMillis: number;
}

/**
 * Looks after nodes: those that are silent become unknown, their pods are not ready, and after a while, zone by zone, nodes get the taint by which pods leave. Nodes that are back lose it.
 */
export class HealthMonitor {
  readonly life = new SignsOfLife();
  readonly zones: Zones;
  readonly #parts: HealthMonitorParts;
  /** Uids of nodes that have been seen, by name. */
  readonly #known = new Map<string, string>();
  /** Nodes some of whose pods still have to be marked. */
  readonly #unmarked = new Set<string>();
  /** Nodes whose taints are to be removed. */
  #untaint: string[] = [];

  constructor(parts: HealthMonitorParts) {
    this.#parts = parts;
    const {clock, rates, nodes} = parts;
    this.zones = new Zones({
      rates,
      now: () => clock.now(),
      allSilent: () => void (this.#untaint = [...nodes.keys()]),
      firstBack: () => this.life.allSeen(clock.now()),
    });
  }

  /** Looks at all nodes once. */
  async look(): Promise<void> {
    const {nodes} = this.#parts;
    await this.#takeNote();
    const counts = new Map<string, ZoneCount>();
    const waiting = [...nodes.values()];
    const work = async (): Promise<void> => {
      for (let node = waiting.pop(); node; node = waiting.pop()) await this.#lookAt(node, counts);
    };
    await Promise.all(Array.from({length: concurrency}, work));
    this.zones.counted(counts);
    const back = this.#untaint;
    this.#untaint = [];
    for (const name of back) {
      const node = nodes.get(name);
      if (node) await this.#tryTo('untaint', name, () => this.#reachable(node));
    }
  }

  /** Taints the nodes whose turn it is. @returns in how many milliseconds there may be more, Infinity if none wait */
  async taint(): Promise<number> {
    let again = Infinity;
    for (const queue of this.zones.queues()) {
      for (let next = queue.next(); ; next = queue.next()) {
        if ('again' in next) {
          again = Math.min(again, next.again);
          break;
        }
        const {name} = next;
        await this.#tryTo('taint', name, () => this.#evict(name));
      }
    }
    return again;
  }

  /** Nodes that have come or gone. */
  async #takeNote(): Promise<void> {
    const {nodes, events} = this.#parts;
    const say = (name: string, uid: string, reason: string, what: string) =>
      events.record({apiVersion: 'v1', kind: 'Node', metadata: {name, uid}}, {type: 'Normal', reason, note: `Node ${name} event: ${what}`});
    for (const [name, uid] of this.#known) {
      if (nodes.has(name)) continue;
      this.#known.delete(name);
      this.#unmarked.delete(name);
      this.life.forget(name);
      this.zones.remove(name);
      say(name, uid, 'RemovingNode', `Removing Node ${name} from Controller`);
    }
    for (const node of nodes.values()) {
      const {name, uid, zone} = node;
      if (this.#known.has(name)) continue;
      this.#known.set(name, uid);
      say(name, uid, 'RegisteredNode', `Registered Node ${name} in Controller`);
      this.zones.queue(zone);
      await this.#tryTo('untaint', name, () => this.#reachable(node));
    }
  }

  async #lookAt(node: NodeRecord, counts: Map<string, ZoneCount>): Promise<void> {
    const {clock, graceMillis, startupGraceMillis} = this.#parts;
    const {name, ready, zone, isExcluded} = node;
    const now = clock.now();
    const seenAt = this.life.look(node, now);
    let status = ready?.status;
    if (now > seenAt + (ready ? graceMillis : startupGraceMillis) && status !== 'Unknown') {
      if (!(await this.#tryTo('mark', name, () => this.#markSilent(node)))) return;
      status = 'Unknown';
    }
    if (!isExcluded) {
      let count = counts.get(zone);
      if (!count) counts.set(zone, (count = {ready: 0, notReady: 0}));
      if (status === 'True') count.ready += 1;
      else count.notReady += 1;
    }
    if (status === undefined) return;
    await this.#tryTo('taint', name, () => this.#setTaints(node, status));
    const isNewlyNotReady = status !== 'True' && ready?.status === 'True';
    if (isNewlyNotReady) this.#sayNotReady(node);
    if (isNewlyNotReady || (this.#unmarked.has(name) && status !== 'True')) {
      this.#unmarked.add(name);
      if (!(await this.#tryTo('mark the pods of', name, () => this.#markPods(name)))) return;
    }
    this.#unmarked.delete(name);
  }

  /** The condition may have become another one since it was looked at. */
  async #markSilent({name, ready}: NodeRecord): Promise<void> {
    await this.#parts.writer.markSilent(name, ({status}: Node) => {
      const now = status?.conditions?.find(({type}) => type === 'Ready');
      return (now?.lastHeartbeatTime ?? '') === (ready?.heartbeat ?? '') && now?.status !== 'Unknown';
    });
  }

  async #setTaints(node: NodeRecord, status: string): Promise<void> {
    const {writer, keys} = this.#parts;
    const {name, zone, isTaintedNotReady, isTaintedUnreachable} = node;
    if (status === 'True') return this.#reachable(node);
    const isSilent = status === 'Unknown';
    const [isRight, isOther] = isSilent ? [isTaintedUnreachable, isTaintedNotReady] : [isTaintedNotReady, isTaintedUnreachable];
    if (isOther) return writer.changeTaints(name, swap(keys, isSilent));
    const queue = this.zones.queue(zone);
    if (!isRight) queue.remove(name);
    queue.add(name);
  }

  async #reachable({name, zone, isTaintedNotReady, isTaintedUnreachable}: NodeRecord): Promise<void> {
    const {writer, keys} = this.#parts;
    if (isTaintedNotReady || isTaintedUnreachable) {
      const remove = [keys.notReady, keys.unreachable].map((key) => ({key, effect: 'NoExecute'}));
      await writer.changeTaints(name, {add: [], remove});
    }
    this.zones.queue(zone).remove(name);
  }

  async #evict(name: string): Promise<void> {
    const {nodes, writer, keys} = this.#parts;
    const status = nodes.get(name)?.ready?.status;
    if (status === undefined || status === 'True') return;
    await writer.changeTaints(name, swap(keys, status === 'Unknown'));
  }

  #sayNotReady({name, uid}: NodeRecord): void {
    const note = `Node ${name} status is now: NodeNotReady`;
    this.#parts.events.record({apiVersion: 'v1', kind: 'Node', metadata: {name, uid}}, {type: 'Normal', reason: 'NodeNotReady', note});
  }

  async #markPods(name: string): Promise<void> {
    const {pods, writer, events} = this.#parts;
    let failure: unknown;
    for (const pod of await pods.on(name)) {
      try {
        if (!(await writer.markNotReady(pod))) continue;
        const {metadata} = pod;
        events.record({apiVersion: 'v1', kind: 'Pod', metadata}, {type: 'Warning', reason: 'NodeNotReady', note: 'Node is not ready'});
      } catch (error) {
        failure = error;
      }
    }
    if (failure !== undefined) throw failure as Error;
  }

  /** What fails is tried again at the next look. @returns whether it was done */
  async #tryTo(what: string, node: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (err) {
      if (!isNotFound(err)) this.#parts.logger.debug({node, err}, `could not ${what} a node; it is tried again`);
      return false;
    }
  }
}

function swap({notReady, unreachable}: NodeKeys, isSilent: boolean) {
  const [right, other] = isSilent ? [unreachable, notReady] : [notReady, unreachable];
  return {add: [{key: right, effect: 'NoExecute'}], remove: [{key: other, effect: 'NoExecute'}]};
}
