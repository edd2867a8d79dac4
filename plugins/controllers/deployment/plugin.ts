import {
  controller,
  inject,
  isConflict,
  Tokens,
  type ApiObject,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {
  CacheInformer,
  done,
  EventRecorder,
  splitObjectKey,
  systemClock,
  WorkQueue,
  type WorkResult,
} from '../../../sdk/controllers/index.js';
import {compileSelector} from '../../../sdk/labels/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {Deployment, ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {claimDependents} from '../../families/workload-pods/claim-dependents.js';
import {ControlledPods} from '../../families/workload-pods/controlled-pods.js';
import {isNamespaceTerminating} from '../../families/workload-pods/pod-control.js';
import {appsVersion, deploymentKind, deployments, isRollingUpdate, replicaSetKind, replicaSets} from './deployment-object.js';
import {DeploymentWrites, type WriteParts} from './deployment-writes.js';
import {OwnedSets} from './owned-sets.js';
import {RevisionAnnotations} from './revisions.js';
import {refuseAll, selectsAll, syncDeployment} from './sync-deployment.js';

/** As Kubernetes' queue, which gives up after 15 failures: this one goes on with its longest pause. */
const retries = {initialMillis: 5, maximumMillis: 164_000};
/** After somebody else has changed an object: until the cache has it. */
const conflictMillis = 5;

type StoredDeployment = Deployment & ApiObject;
type Selects = ReturnType<typeof compileSelector>;

/** Rolls Deployments out. Reads from the server's cache; what has changed there meanwhile is noticed by the writes. */
@controller()
export class DeploymentController implements Controller {
  readonly #parts: WriteParts;
  readonly #queue: WorkQueue;
  readonly #deployments: CacheInformer<StoredDeployment>;
  readonly #sets: OwnedSets;
  readonly #pods: ControlledPods<{readonly isFinished: boolean}>;
  /** By namespace, then by key. */
  readonly #selectors = new Map<string, Map<string, Selects>>();
  #listed: Promise<unknown> = Promise.resolve();
  /** Pods are of interest only where all of them must be gone before others come. */
  #podsListed: Promise<void> | undefined;
  #signal: AbortSignal | undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    const clock = resources.clock ?? systemClock;
    const events = new EventRecorder({resources, logger, controller: 'deployment-controller', form: 'core'});
    this.#parts = {resources, events, clock, gates, annotations: new RevisionAnnotations(naming)};
    this.#queue = new WorkQueue((key) => this.#reconcile(key), {
      clock,
      scheduler: resources.scheduler,
      concurrency: config['concurrency'] as number,
      figures: {metrics, name: 'deployment'},
      retries,
      onError: (key, err) => logger.warn({key, err}, 'a Deployment could not be rolled out; retrying'),
    });
    const failed = (key: string, err: unknown) => logger.warn({key, err}, 'an object cannot be read');
    const {group, version, resource} = deployments;
    this.#deployments = new CacheInformer(cache, namespaced<StoredDeployment>(group, version, resource, deploymentKind), {
      changed: (key) => void this.#changed(key),
      deleted: (key) => this.#gone(key),
      failed,
    });
    this.#sets = new OwnedSets({
      cache,
      changed: (key) => this.#queue.add(key),
      orphaned: (namespace, labels) => this.#orphaned(namespace, labels),
      failed,
    });
    this.#pods = new ControlledPods({
      cache,
      kind: replicaSetKind,
      summarize: ({status}) => ({isFinished: status?.phase === 'Failed' || status?.phase === 'Succeeded'}),
      changed: (pod, before) => {
        if (before?.controller && (!pod || pod.summary.isFinished)) this.#podEnded(`${before.namespace}/${before.controller.name}`);
      },
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#listed = Promise.all([this.#deployments.start(signal), this.#sets.start(signal)]);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#queue.close();
    await this.#parts.events.close();
  }

  async #changed(key: string): Promise<void> {
    const [namespace, name] = splitObjectKey(key);
    const deployment = await this.#deployments.get(name, namespace);
    if (!deployment) return;
    let selectors = this.#selectors.get(namespace);
    if (!selectors) this.#selectors.set(namespace, (selectors = new Map()));
    selectors.set(key, compileSelector(deployment.spec?.selector));
    if (!isRollingUpdate(deployment)) this.#podsListed ??= this.#pods.start(this.#signal!);
    this.#queue.add(key);
  }

  #gone(key: string): void {
    const [namespace] = splitObjectKey(key);
    const selectors = this.#selectors.get(namespace);
    selectors?.delete(key);
    if (selectors?.size === 0) this.#selectors.delete(namespace);
  }

  #orphaned(namespace: string, labels: Readonly<Record<string, string>>): void {
    for (const [key, selects] of this.#selectors.get(namespace) ?? []) if (selects(labels)) this.#queue.add(key);
  }

  #podEnded(set: string): void {
    const owner = this.#sets.ownerOf(set);
    if (owner !== undefined) this.#queue.add(owner);
  }

  async #reconcile(key: string): Promise<WorkResult> {
    await this.#listed;
    await this.#podsListed;
    const [namespace, name] = splitObjectKey(key);
    const found = await this.#deployments.get(name, namespace);
    if (!found) return done;
    const writes = new DeploymentWrites(this.#parts, structuredClone(found) as Deployment);
    try {
      if (selectsAll(writes)) {
        await refuseAll(writes);
        return done;
      }
      const sets = await this.#setsOf(found);
      const again = await syncDeployment(writes, sets, (of) => this.#havePods(of));
      return again === undefined ? done : {again};
    } catch (error) {
      if (isNamespaceTerminating(error)) return done;
      if (isConflict(error)) return {again: conflictMillis};
      throw error;
    }
  }

  async #setsOf(deployment: Readonly<StoredDeployment>): Promise<ReplicaSet[]> {
    const claim = {
      resources: this.#parts.resources,
      owner: deployment,
      ownerRef: deployments,
      apiVersion: appsVersion,
      kind: deploymentKind,
      dependents: replicaSets,
      dependentKind: replicaSetKind,
      selects: compileSelector(deployment.spec?.selector),
    };
    const {namespace = '', uid = ''} = deployment.metadata;
    return this.#sets.read(await claimDependents(claim, this.#sets.candidates(namespace, uid)));
  }

  #havePods(sets: readonly ReplicaSet[]): boolean {
    return sets.some(({metadata}) => this.#pods.controlledBy(metadata.uid!).some(({summary}) => !summary.isFinished));
  }
}
