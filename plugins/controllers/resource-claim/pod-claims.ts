import {ifFound, unlessExists, type ApiObject, type NamingProfile, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {ResourceClaim, ResourceClaimTemplate} from '../../../sdk/types/unchecked/resource/v1.js';
import {ClaimIndex} from './claim-index.js';
import {claimFor, claimsOf, isDone, owningPod, type WantedClaim} from './claim-of-pod.js';
import {Reservations} from './reservations.js';

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
const fieldManager = 'ResourceClaimController';

/** Makes the claims of pods from templates, and writes their names into the status of the pod. */
export class PodClaims {
  readonly ref: ResourceRef;
  readonly templatesRef: ResourceRef;
  readonly index: ClaimIndex;
  readonly reservations: Reservations;
  readonly #resources: ResourceClient;
  /** Whether claims are named after their pods alone. */
  readonly hasFixedNames: boolean;
  /** In which a claim says for which entry of its pod it is. */
  readonly #annotation: string;
  /** Keys of pods whose template does not exist, by the key of the template. */
  readonly #waiting = new Map<string, Set<string>>();

  /** @param version in which claims and templates are served */
  constructor(resources: ResourceClient, {keyPrefix}: NamingProfile, version: string, hasFixedNames: boolean) {
    this.#resources = resources;
    this.hasFixedNames = hasFixedNames;
    this.#annotation = `resource.${keyPrefix}/pod-claim-name`;
    this.ref = {group: 'resource.orch', version, resource: 'resourceclaims'};
    this.templatesRef = {group: 'resource.orch', version, resource: 'resourceclaimtemplates'};
    this.index = new ClaimIndex(this.#annotation);
    this.reservations = new Reservations(resources, this.ref, `resource.${keyPrefix}/delete-protection`);
  }

  /** Keys of the pods that wait for a template. */
  waitingFor(template: string): string[] {
    return [...(this.#waiting.get(template) ?? [])];
  }

  podGone(pod: Pod): void {
    const {namespace, name} = pod.metadata;
    for (const {template} of claimsOf(pod, this.hasFixedNames))
      if (template) this.#stopWaiting(`${namespace}/${template}`, `${namespace}/${name}`);
  }

  async reconcile(namespace: string, name: string): Promise<void> {
    const pod = (await ifFound(this.#resources.get(pods, namespace, name))) as Pod | undefined;
    if (!pod || pod.metadata.deletionTimestamp || isDone(pod)) return;
    const names = new Map<string, string>();
    let isChanged = false;
    for (const wanted of claimsOf(pod, this.hasFixedNames)) {
      const claim = wanted.template === undefined ? wanted.claim : await this.#ensure(pod, wanted, wanted.template);
      if (!claim) continue;
      if (wanted.template !== undefined) {
        names.set(wanted.name, claim);
        isChanged ||= claim !== wanted.claim;
      }
      // The scheduler reserves the claims of the pods that it puts on a node.
      if (pod.spec?.nodeName) await this.#reserve(pod, claim);
    }
    if (isChanged && !this.hasFixedNames) await this.#writeNames(pod, names);
  }

  /**
   * The name of the claim for an entry with a template; undefined if none is needed, or there is no template yet.
   *
   * @throws Error if the claim's name belongs to another owner's claim
   */
  async #ensure(pod: Pod, {name: entry, claim: known}: WantedClaim, templateName: string): Promise<string | undefined> {
    const {namespace = '', name: podName, uid = ''} = pod.metadata;
    if (known === null) return undefined;
    if (known !== undefined) {
      const present = await ifFound(this.#resources.get(this.ref, namespace, known));
      if (present && this.#isOwned(pod, present)) return known;
    }
    const made = this.index.find(uid, entry);
    if (made !== undefined && (await ifFound(this.#resources.get(this.ref, namespace, made)))) return made;
    // Before the template is read: a template created after that triggers an event.
    const templateKey = `${namespace}/${templateName}`;
    const key = `${namespace}/${podName}`;
    this.#wait(templateKey, key);
    const template = (await ifFound(this.#resources.get(this.templatesRef, namespace, templateName))) as ResourceClaimTemplate | undefined;
    if (!template) return undefined;
    this.#stopWaiting(templateKey, key);
    return this.#create(pod, entry, template);
  }

  async #create(pod: Pod, entry: string, template: ResourceClaimTemplate): Promise<string> {
    const namespace = pod.metadata.namespace!;
    const claim = claimFor(pod, entry, template, this.hasFixedNames ? undefined : this.#annotation);
    const created = await unlessExists(this.#resources.create(this.ref, namespace, claim));
    const found = created ?? (await this.#resources.get(this.ref, namespace, claim.metadata.name!));
    if (!created) this.#isOwned(pod, found);
    this.index.add(found);
    return found.metadata.name!;
  }

  /** A claim of a generated name that is not the pod's is replaced by another one; a fixed name leaves no choice. */
  #isOwned({metadata}: Pod, claim: ApiObject): boolean {
    if (owningPod(claim)?.uid === metadata.uid) return true;
    if (!this.hasFixedNames) return false;
    throw new Error(
      `the resource claim "${claim.metadata.name}" was not made for the pod "${metadata.name}": delete it, or rename the pod`,
    );
  }

  async #reserve(pod: Pod, name: string): Promise<void> {
    const claim = await ifFound(this.#resources.get(this.ref, pod.metadata.namespace!, name));
    if (claim) await this.reservations.reserve(claim as ResourceClaim, pod);
  }

  async #writeNames({metadata}: Pod, names: ReadonlyMap<string, string>): Promise<void> {
    const resourceClaimStatuses = [...names].map(([name, resourceClaimName]) => ({name, resourceClaimName}));
    const object = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {name: metadata.name!, namespace: metadata.namespace!},
      status: {resourceClaimStatuses},
    };
    await this.#resources.apply(pods, metadata.namespace!, object as ApiObject, {fieldManager, force: true}, 'status');
  }

  #wait(template: string, pod: string): void {
    const waiting = this.#waiting.get(template);
    if (waiting) waiting.add(pod);
    else this.#waiting.set(template, new Set([pod]));
  }

  #stopWaiting(template: string, pod: string): void {
    const waiting = this.#waiting.get(template);
    waiting?.delete(pod);
    if (waiting?.size === 0) this.#waiting.delete(template);
  }
}
