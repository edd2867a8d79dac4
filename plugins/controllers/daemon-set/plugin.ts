import {
  isNamespaceTerminating,
  controller,
  inject,
  isConflict,
  Tokens,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, type WorkResult} from '../../../sdk/controllers/index.js';
import {compileSelector, isEmptySelector} from '../../../sdk/labels/index.js';
import {OwnedPods} from '../../families/workload-pods/owned-pods.js';
import {PodControl} from '../../families/workload-pods/pod-control.js';
import {WorkloadLoop, type KnownWorkload} from '../../families/workload-pods/workload-loop.js';
import {DaemonNodes, nodeRule, type DaemonNode, type NodeFit} from './daemon-nodes.js';
import {daemonPod, type DaemonPod} from './daemon-pod.js';
import {DaemonRevisions} from './daemon-revisions.js';
import {DaemonRound, type DaemonParts} from './daemon-round.js';
import {daemonKeys, daemonSetType, type StoredDaemonSet} from './daemon-set-object.js';
import {FailedPods} from './failed-pods.js';
import {manageNodes} from './manage-nodes.js';
import {rollingUpdate} from './rolling-update.js';

/** As Kubernetes' queue. */
const retries = {initialMillis: 5, maximumMillis: 1_000_000};
/** After somebody else has changed an object: until the cache has it. */
const conflictMillis = 5;

interface Known extends KnownWorkload {
  readonly rule: (node: DaemonNode) => NodeFit;
  /** Whether there are pods where they do not belong. */
  readonly isMisscheduled: boolean;
}

/** Keeps a pod of each DaemonSet on every node that it is for. The scheduler puts them there. */
@controller()
export class DaemonSetController implements Controller {
  readonly #parts: DaemonParts;
  readonly #loop: WorkloadLoop<StoredDaemonSet, Known>;
  readonly #pods: OwnedPods<DaemonPod, StoredDaemonSet, Known>;
  readonly #revisions: DaemonRevisions;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    const keys = daemonKeys(naming);
    this.#loop = new WorkloadLoop<StoredDaemonSet, Known>(
      {resources, cache, logger, metrics, concurrency: config['concurrency'] as number},
      {
        type: daemonSetType,
        component: 'daemonset-controller',
        queue: 'daemonset',
        retries,
        know: (set) => ({
          uid: set.metadata.uid!,
          selects: compileSelector(set.spec?.selector),
          rule: nodeRule(set as StoredDaemonSet, keys),
          isMisscheduled: (set.status?.numberMisscheduled ?? 0) > 0,
        }),
        gone: (_key, {uid}) => this.#parts.failures.forget(uid),
        reconcile: (key, set) => this.#reconcile(key, set as StoredDaemonSet),
      },
    );
    const {clock, events, expectations, failed} = this.#loop;
    const nodes = new DaemonNodes({cache, changed: (name, node) => this.#nodeChanged(name, node), failed});
    this.#parts = {
      resources,
      events,
      control: new PodControl(resources, events),
      clock,
      expectations,
      keys,
      nodes,
      failures: new FailedPods(),
    };
    this.#pods = new OwnedPods({resources, cache, type: daemonSetType, loop: this.#loop, summarize: daemonPod});
    this.#revisions = new DaemonRevisions({
      cache,
      resources,
      changed: (owner) => this.#loop.addOwner(owner),
      orphaned: (namespace, labels) => this.#loop.orphaned(namespace, labels),
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#loop.waitFor(this.#parts.nodes.start(signal));
    this.#loop.waitFor(this.#revisions.start(signal));
    this.#pods.start(signal);
    return this.#loop.start(signal);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** The DaemonSets that have something to do there. */
  #nodeChanged(name: string, node: DaemonNode | undefined): void {
    for (const [key, {uid, rule, isMisscheduled}] of this.#loop.all()) {
      const hasPod = this.#pods.controlledBy(uid).some(({summary}) => summary.node === name);
      const {shouldRun, mayStay} = node ? rule(node) : {shouldRun: false, mayStay: false};
      if (!node || (hasPod ? !mayStay || isMisscheduled : shouldRun)) this.#loop.add(key);
    }
  }

  async #reconcile(key: string, set: StoredDaemonSet): Promise<WorkResult> {
    const {expectations, events} = this.#parts;
    const {apiVersion, kind} = daemonSetType;
    if (isEmptySelector(set.spec?.selector)) {
      const note = 'This daemon set is selecting all pods. A non-empty selector is required.';
      events.record({...set, apiVersion, kind}, {type: 'Warning', reason: 'SelectingAll', note});
      return done;
    }
    if (set.metadata.deletionTimestamp) return done;
    try {
      const areMet = expectations.areMet(key);
      const pods = await this.#pods.claim(set, set.spec?.selector);
      const history = await this.#revisions.of(set, pods);
      const rule = this.#loop.known(key)?.rule ?? nodeRule(set, this.#parts.keys);
      const round = new DaemonRound(this.#parts, {key, set, pods, hash: history.hash, rule});
      if (!areMet) {
        await round.report(false);
        return afterMillis(round.again);
      }
      try {
        // What is done changes what there is: the update looks at that in the next round.
        const isChanged = await round.carryOut(manageNodes(round));
        if (!isChanged && set.spec?.updateStrategy?.type !== 'OnDelete') await round.carryOut(rollingUpdate(round));
        await this.#revisions.truncate(set, history, pods);
      } finally {
        await round.report(true);
      }
      return afterMillis(round.again);
    } catch (error) {
      if (isNamespaceTerminating(error)) return done;
      if (isConflict(error)) return {again: conflictMillis};
      throw error;
    }
  }
}

function afterMillis(millis: number): WorkResult {
  return millis === Infinity ? done : {again: millis};
}
