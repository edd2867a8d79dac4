import {
  isNamespaceTerminating,
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
import {done, type WorkResult} from '../../../sdk/controllers/index.js';
import {compileSelector} from '../../../sdk/labels/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {Deployment, ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {claimDependents} from '../../families/workload-pods/claim-dependents.js';
import {ControlledPods} from '../../families/workload-pods/controlled-pods.js';
import {OwnedObjects} from '../../families/workload-pods/owned-objects.js';
import {WorkloadLoop, type KnownWorkload} from '../../families/workload-pods/workload-loop.js';
import {appsVersion, deploymentKind, deployments, isRollingUpdate, replicaSetKind, replicaSets} from './deployment-object.js';
import {DeploymentWrites, type WriteParts} from './deployment-writes.js';
import {RevisionAnnotations} from './revisions.js';
import {refuseAll, selectsAll, syncDeployment} from './sync-deployment.js';

/** As Kubernetes' queue, which gives up after 15 failures: this one goes on with its longest pause. */
const retries = {initialMillis: 5, maximumMillis: 164_000};
/** After somebody else has changed an object: until the cache has it. */
const conflictMillis = 5;

type StoredDeployment = Deployment & ApiObject;
type StoredSet = ReplicaSet & ApiObject;

interface Known extends KnownWorkload {
  readonly isRolling: boolean;
}

/** Rolls Deployments out. Reads from the server's cache; what has changed there meanwhile is noticed by the writes. */
@controller()
export class DeploymentController implements Controller {
  readonly #parts: WriteParts;
  readonly #loop: WorkloadLoop<StoredDeployment, Known>;
  readonly #sets: OwnedObjects<StoredSet>;
  readonly #pods: ControlledPods<{readonly isFinished: boolean}>;
  /** Pods are of interest only where all of them must be gone before others come. */
  #arePodsFollowed = false;
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
    const parts = {resources, cache, logger, metrics, concurrency: config['concurrency'] as number};
    this.#loop = new WorkloadLoop<StoredDeployment, Known>(parts, {
      type: {ref: deployments, apiVersion: appsVersion, kind: deploymentKind},
      component: 'deployment-controller',
      queue: 'deployment',
      retries,
      know: (deployment) => ({
        uid: deployment.metadata.uid!,
        selects: compileSelector(deployment.spec?.selector),
        isRolling: isRollingUpdate(deployment as Deployment),
      }),
      changed: (_key, {isRolling}) => {
        if (!isRolling) this.#followPods();
      },
      reconcile: (_key, deployment) => this.#reconcile(deployment),
    });
    const {clock, events, failed} = this.#loop;
    this.#parts = {resources, events, clock, gates, annotations: new RevisionAnnotations(naming)};
    const {group, version, resource} = replicaSets;
    this.#sets = new OwnedObjects({
      cache,
      type: namespaced<StoredSet>(group, version, resource, replicaSetKind),
      ownerKind: deploymentKind,
      changed: (owner) => this.#loop.addOwner(owner),
      orphaned: (namespace, labels) => this.#loop.orphaned(namespace, labels),
      failed,
    });
    this.#pods = new ControlledPods({
      cache,
      kind: replicaSetKind,
      summarize: ({status}) => ({isFinished: status?.phase === 'Failed' || status?.phase === 'Succeeded'}),
      changed: (pod, before) => {
        if (before?.controller && (!pod || pod.summary.isFinished)) this.#podEnded(before.namespace, before.controller.name);
      },
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#loop.waitFor(this.#sets.start(signal));
    return this.#loop.start(signal);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #followPods(): void {
    if (this.#arePodsFollowed) return;
    this.#arePodsFollowed = true;
    this.#loop.waitFor(this.#pods.start(this.#signal!));
  }

  #podEnded(namespace: string, set: string): void {
    const owner = this.#sets.ownerOf(`${namespace}/${set}`);
    if (owner !== undefined) this.#loop.add(`${namespace}/${owner}`);
  }

  async #reconcile(found: Readonly<StoredDeployment>): Promise<WorkResult> {
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
    return (await this.#sets.read(await claimDependents(claim, this.#sets.candidates(namespace, uid)))) as ReplicaSet[];
  }

  #havePods(sets: readonly ReplicaSet[]): boolean {
    return sets.some(({metadata}) => this.#pods.controlledBy(metadata.uid!).some(({summary}) => !summary.isFinished));
  }
}
