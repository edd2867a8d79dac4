import {
  controller,
  ifFound,
  inject,
  Tokens,
  unlessExists,
  type ApiObject,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {done, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {ResourceClaimTemplate} from '../../../sdk/types/unchecked/resource/v1alpha1.js';
import {controllerOf} from '../../families/workload-pods/controller-reference.js';
import {claimFor, claimsFromTemplates, wantedClaims, type WantedClaim} from './claim-of-pod.js';

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
const claims: ResourceRef = {group: 'resource.orch', version: 'v1alpha1', resource: 'resourceclaims'};
const templates: ResourceRef = {group: 'resource.orch', version: 'v1alpha1', resource: 'resourceclaimtemplates'};

/**
 * Creates a ResourceClaim for each template that a pod names. Safe on several servers of one store: the claim's name is determined by the
 * pod, so it is created once.
 */
@controller()
export class ResourceClaimController extends Reconciler {
  readonly #isEnabled: boolean;
  /** Keys of pods whose template does not exist, by the key of the template. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #resources: ResourceClient;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    super({
      resources,
      naming,
      logger,
      concurrency: config['concurrency'] as number,
      figures: {metrics, name: 'resource-claim'},
      types: [
        {ref: templates, startFromCache: true, changed: (template) => this.#templateChanged(template), deleted: () => []},
        {ref: claims, changesOnly: true, changed: () => [], deleted: claimGone},
        {ref: pods, startFromCache: true, changed: podChanged, deleted: (pod) => this.#podGone(pod)},
      ],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#isEnabled = gates.enabled('DynamicResourceAllocation');
  }

  override async start(signal: AbortSignal): Promise<void> {
    if (this.#isEnabled) await super.start(signal);
  }

  #templateChanged(template: ApiObject): Iterable<string> {
    return this.#waiting.get(objectKey(template)) ?? [];
  }

  #podGone(pod: ApiObject): string[] {
    const key = objectKey(pod);
    for (const {template} of claimsFromTemplates(pod as Pod)) this.#stopWaiting(`${pod.metadata.namespace}/${template}`, key);
    return [];
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const pod = await this.#find<Pod>(pods, ...splitObjectKey(key));
    if (pod) for (const wanted of wantedClaims(pod)) await this.#ensure(pod, wanted, key);
    return done;
  }

  /** @throws Error if the claim's name belongs to another owner's claim */
  async #ensure(pod: Pod, {name, template: templateName}: WantedClaim, key: string): Promise<void> {
    const namespace = pod.metadata.namespace!;
    const present = await this.#find<ApiObject>(claims, namespace, name);
    if (present) return checkOwner(pod, present);
    // Before the template is read: a template created after that triggers an event.
    const templateKey = `${namespace}/${templateName}`;
    this.#wait(templateKey, key);
    const template = await this.#find<ResourceClaimTemplate>(templates, namespace, templateName);
    if (template === undefined) return;
    this.#stopWaiting(templateKey, key);
    const made = await unlessExists(this.#resources.create(claims, namespace, claimFor(pod, name, template)));
    if (!made) checkOwner(pod, await this.#resources.get(claims, namespace, name));
  }

  async #find<T>(ref: ResourceRef, namespace: string, name: string): Promise<T | undefined> {
    return (await ifFound(this.#resources.get(ref, namespace, name))) as T | undefined;
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

function podChanged(pod: ApiObject): string[] {
  return wantedClaims(pod as Pod).length > 0 ? [objectKey(pod)] : [];
}

/** A claim that is deleted while its pod exists is created again. */
function claimGone(claim: ApiObject): string[] {
  const owner = controllerOf(claim);
  return owner?.kind === 'Pod' ? [`${claim.metadata.namespace}/${owner.name}`] : [];
}

function checkOwner({metadata}: Pod, claim: ApiObject): void {
  if (controllerOf(claim)?.uid === metadata.uid) return;
  throw new Error(`the resource claim "${claim.metadata.name}" was not made for the pod "${metadata.name}": delete it, or rename the pod`);
}
