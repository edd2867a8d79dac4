import {isNamespaceTerminating, ifFound, isAlreadyExists, isConflict, StatusError, type ApiObject} from '../../../sdk/index.js';
import type {StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import type {PersistentVolumeClaim, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {controllerOf} from '../../families/workload-pods/controller-reference.js';
import {templateOf} from '../../families/workload-pods/revision-data.js';
import {claimsOf, goesWithFormerPod, hasItsClaims, retainedOwners, volumesOf} from './set-claims.js';
import {claims, isInRange, ordinalRange, podName, pods, setKind, setVersion} from './set-object.js';
import type {SetParts} from './set-parts.js';
import type {Step} from './set-plan.js';
import {hasIdentity, identityLabels, newPod} from './set-pod.js';
import type {SetRevisions} from './set-revisions.js';

/** A claim of a pod goes with the pod that was there before: there can be no pod until it is gone. */
export class StaleClaim extends Error {}

/** Carries out steps for the pods of a set and their claims, and records them as Events about the set. */
export class SetPodControl {
  readonly #parts: SetParts;
  readonly #set: StatefulSet;
  readonly #revisions: SetRevisions;

  constructor(parts: SetParts, set: StatefulSet, revisions: SetRevisions) {
    this.#parts = parts;
    this.#set = set;
    this.#revisions = revisions;
  }

  /** @throws StaleClaim, StatusError, Error */
  async carryOut(step: Step): Promise<void> {
    const {ordinal} = step;
    if (step.do === 'create') return this.#create(ordinal, step.revision);
    const {pod} = step;
    if (step.do === 'delete') return this.#delete(pod);
    if (step.do === 'claims') {
      await this.#createClaims(pod, ordinal);
      await this.#retain(pod, ordinal);
      return undefined;
    }
    if (step.do === 'repair') return this.#repair(pod, ordinal);
    await this.#retain(pod, ordinal);
    return undefined;
  }

  async #create(ordinal: number, revision: string): Promise<void> {
    const {current, update} = this.#revisions;
    const name = podName(this.#set, ordinal);
    await this.#refuseStaleClaims(ordinal);
    const template = revision === update.metadata.name ? this.#set.spec?.template : templateOf(current);
    const pod = newPod(this.#parts, this.#set, template ?? {}, revision, ordinal);
    await this.#recorded('Create', name, async () => {
      await this.#createClaims(pod, ordinal);
      const made = await this.#createPod(pod);
      if (!made) return false;
      await this.#retain(made, ordinal);
      return true;
    });
  }

  /** Undefined for one that another server has made. */
  async #createPod(pod: Pod): Promise<Pod | undefined> {
    const {resources} = this.#parts;
    const namespace = this.#set.metadata.namespace!;
    try {
      return (await resources.create(pods, namespace, pod)) as Pod;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const present = (await ifFound(resources.get(pods, namespace, pod.metadata.name!))) as Pod | undefined;
      if (!present || controllerOf(present)?.uid !== this.#set.metadata.uid) throw error;
      return undefined;
    }
  }

  /** Deletes exactly this pod, not another one with its name. */
  async #delete({metadata}: Pod): Promise<void> {
    await this.#recorded('Delete', metadata.name!, async () => {
      await ifFound(this.#parts.resources.delete(pods, metadata.namespace!, metadata.name!, {uid: metadata.uid!}));
      return true;
    });
  }

  /** Corrects labels, volumes and claims of a pod that differ from those the set requires. */
  async #repair(pod: Pod, ordinal: number): Promise<void> {
    const {resources, naming, features} = this.#parts;
    const {name = '', namespace = ''} = pod.metadata;
    const hasClaims = hasItsClaims(this.#set, ordinal, pod);
    const isRight = hasClaims && hasIdentity(naming, pod);
    await this.#recorded('Update', name, async () => {
      if (!hasClaims) await this.#createClaims(pod, ordinal);
      const isRetained = await this.#retain(pod, ordinal);
      if (isRight) return isRetained;
      const labels = {...pod.metadata.labels, ...identityLabels(naming, features, name, ordinal)};
      const volumes = hasClaims ? pod.spec?.volumes : volumesOf(this.#set, ordinal, pod.spec?.volumes ?? []);
      const spec = {...pod.spec, ...(volumes ? {volumes} : {})};
      await resources.update(pods, namespace, {...pod, metadata: {...pod.metadata, labels}, spec} as ApiObject);
      return true;
    });
  }

  /** @throws StaleClaim */
  async #refuseStaleClaims(ordinal: number): Promise<void> {
    if (!this.#parts.features.claimRetention || this.#set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return;
    for (const wanted of claimsOf(this.#set, ordinal)) {
      const claim = await this.#claim(wanted);
      if (claim && goesWithFormerPod(podName(this.#set, ordinal), claim)) throw new StaleClaim(`the claim ${claim.metadata.name} is stale`);
    }
  }

  /** @throws Error if a claim cannot be made, or is being deleted */
  async #createClaims({metadata}: Pod, ordinal: number): Promise<void> {
    for (const wanted of claimsOf(this.#set, ordinal)) {
      const {name = '', namespace = ''} = wanted.metadata;
      const claim = await this.#claim(wanted);
      if (claim?.metadata.deletionTimestamp) throw new Error(`pvc ${name} is being deleted`);
      if (claim) continue;
      const what = `Claim ${name}`;
      const where = `Pod ${metadata.name} in StatefulSet ${this.#set.metadata.name}`;
      try {
        await this.#parts.resources.create(claims, namespace, wanted);
        this.#event('Normal', 'SuccessfulCreate', `Create ${what} ${where} success`);
      } catch (error) {
        const {message} = error as Error;
        if (!isAlreadyExists(error)) this.#event('Warning', 'FailedCreate', `Create ${what} for ${where} failed error: ${message}`);
        throw StatusError.is(error) ? error : new Error(`failed to create PVC ${name}: ${message}`, {cause: error});
      }
    }
  }

  async #claim({metadata}: PersistentVolumeClaim): Promise<PersistentVolumeClaim | undefined> {
    return (await ifFound(this.#parts.resources.get(claims, metadata.namespace!, metadata.name!))) as PersistentVolumeClaim | undefined;
  }

  /** Answers whether owners of claims have changed. */
  async #retain(pod: Pod, ordinal: number): Promise<boolean> {
    const {resources, features} = this.#parts;
    if (!features.claimRetention) return false;
    let isChanged = false;
    const isScaledDown = !isInRange(ordinal, ordinalRange(this.#set, features));
    for (const wanted of claimsOf(this.#set, ordinal)) {
      const claim = await this.#claim(wanted);
      if (claim === undefined || claim.metadata.deletionTimestamp) continue;
      const {owners, isForeign} = retainedOwners(this.#set, pod, isScaledDown, claim);
      if (isForeign)
        this.#event(
          'Warning',
          'ConflictingController',
          `PersistentVolumeClaim ${claim.metadata.name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`,
        );
      const {metadata} = claim;
      // Not a patch: the controller's role allows updates.
      if (!owners) continue;
      await resources.update(claims, metadata.namespace!, {...claim, metadata: {...metadata, ownerReferences: owners}} as ApiObject);
      isChanged = true;
    }
    return isChanged;
  }

  /** @param work answers whether it has changed something */
  async #recorded(verb: 'Create' | 'Delete' | 'Update', pod: string, work: () => Promise<boolean>): Promise<void> {
    const what = `${verb} Pod ${pod} in StatefulSet ${this.#set.metadata.name}`;
    try {
      if (await work()) this.#event('Normal', `Successful${verb}`, `${what} successful`);
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error) && !isNamespaceTerminating(error))
        this.#event('Warning', `Failed${verb}`, `${what} failed error: ${(error as Error).message}`);
      throw error;
    }
  }

  #event(type: 'Normal' | 'Warning', reason: string, note: string): void {
    this.#parts.events.record({...this.#set, apiVersion: setVersion, kind: setKind} as ApiObject, {type, reason, note});
  }
}
