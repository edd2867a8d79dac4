import type {ApiObject, Clock, FeatureGates, ResourceClient} from '../../../sdk/index.js';
import type {EventRecorder} from '../../../sdk/controllers/index.js';
import type {Deployment, ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {appsVersion, deploymentKind, deployments, replicaSetKind, replicaSets, wantedReplicas} from './deployment-object.js';
import type {RevisionAnnotations} from './revisions.js';

export interface WriteParts {
  readonly resources: ResourceClient;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly gates: FeatureGates;
  readonly annotations: RevisionAnnotations;
}

/** A Deployment's ReplicaSets: the one of its present template, if there is one, and the others. */
export interface DeploymentSets {
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** What is written for one Deployment, which is a copy that may be changed. */
export class DeploymentWrites {
  readonly parts: WriteParts;
  readonly deployment: Deployment;

  constructor(parts: WriteParts, deployment: Deployment) {
    this.parts = parts;
    this.deployment = deployment;
  }

  get namespace(): string {
    return this.deployment.metadata.namespace!;
  }

  /** In milliseconds since 1970. */
  get now(): number {
    return this.parts.clock.now();
  }

  event(type: 'Normal' | 'Warning', reason: string, note: string): void {
    this.parts.events.record({...this.deployment, apiVersion: appsVersion, kind: deploymentKind} as ApiObject, {type, reason, note});
  }

  /** Writes the status, and the annotation with the revision. */
  async saveStatus(): Promise<void> {
    await this.#save('status');
  }

  /** Writes all but the status. */
  async save(): Promise<void> {
    await this.#save('');
  }

  /** Scales a ReplicaSet, and notes on it what the Deployment wants. Answers it as it is afterwards, and whether its size has changed. */
  async scale(set: ReplicaSet, size: number, isForced = false): Promise<{set: ReplicaSet; isScaled: boolean}> {
    const before = wantedReplicas(set);
    if (!isForced && before === size) return {set, isScaled: false};
    const changed = structuredClone(set);
    const isNoted = this.parts.annotations.setReplicas(changed, this.deployment);
    if (before === size && !isNoted) return {set, isScaled: false};
    changed.spec = {...changed.spec, replicas: size};
    const saved = await this.saveSet(changed);
    if (before === size) return {set: saved, isScaled: false};
    this.event(
      'Normal',
      'ScalingReplicaSet',
      `Scaled ${before < size ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${size}`,
    );
    return {set: saved, isScaled: true};
  }

  async saveSet(set: ReplicaSet): Promise<ReplicaSet> {
    const whole = {...set, apiVersion: appsVersion, kind: replicaSetKind} as ApiObject;
    return (await this.parts.resources.update(replicaSets, this.namespace, whole)) as ReplicaSet;
  }

  async #save(subresource: '' | 'status'): Promise<void> {
    const whole = {...this.deployment, apiVersion: appsVersion, kind: deploymentKind} as ApiObject;
    const {metadata} = await this.parts.resources.update(deployments, this.namespace, whole, subresource);
    // Later writes of the same round build on this one.
    this.deployment.metadata = {...this.deployment.metadata, resourceVersion: metadata.resourceVersion!};
  }
}
