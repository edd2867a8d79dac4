import {
  controller,
  inject,
  Tokens,
  type ApiObject,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {done, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {claimsOf, isDone, owningPod, servedVersion} from './claim-of-pod.js';
import {PodClaims} from './pod-claims.js';

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};

/**
 * Creates a ResourceClaim for each template that a pod names, in the version that is served, and tidies up after pods: claims are not
 * reserved for those that are gone or have finished.
 */
@controller()
export class ResourceClaimController extends Reconciler {
  readonly #isEnabled: boolean;
  readonly #hasFixedNames: boolean;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  #claims: PodClaims | undefined;
  /** Pods that are looked at once the claims are known. */
  #early: Set<string> | undefined = new Set();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    super({
      resources,
      cache,
      naming,
      logger,
      concurrency: config['concurrency'] as number,
      figures: {metrics, name: 'resource-claim'},
      types: [],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#naming = naming;
    this.#isEnabled = gates.enabled('DynamicResourceAllocation');
    this.#hasFixedNames = !gates.enabled('GeneratedClaimNames');
  }

  override async start(signal: AbortSignal): Promise<void> {
    const version = servedVersion(this.#resources, this.#naming);
    if (!this.#isEnabled || version === undefined) return;
    await super.start(signal);
    const claims = new PodClaims(this.#resources, this.#naming, version, this.#hasFixedNames);
    this.#claims = claims;
    this.#early = new Set();
    this.follow({
      ref: claims.ref,
      listed: () => this.#claimsListed(),
      changed: (claim) => {
        claims.index.add(claim);
        return [`claim:${objectKey(claim)}`];
      },
      deleted: (claim) => {
        claims.index.remove(claim);
        const owner = owningPod(claim);
        // A claim that is deleted while its pod exists is created again.
        return owner ? [`pod:${claim.metadata.namespace}/${owner.name}`] : [];
      },
    });
    this.follow({
      ref: claims.templatesRef,
      changed: (template) => claims.waitingFor(objectKey(template)).map((key) => `pod:${key}`),
      deleted: () => [],
    });
    this.follow({
      ref: pods,
      changed: (pod) => podKeys(pod as Pod, claims.hasFixedNames, isDone(pod as Pod)),
      deleted: (pod) => {
        claims.podGone(pod as Pod);
        return podKeys(pod as Pod, claims.hasFixedNames, true);
      },
    });
  }

  #claimsListed(): string[] {
    const early = [...(this.#early ?? [])];
    this.#early = undefined;
    return early;
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [kind, object = ''] = key.split(':');
    const [namespace, name] = splitObjectKey(object);
    if (kind === 'claim') await this.#claims!.reservations.tidy(namespace, name);
    else if (this.#early) this.#early.add(key);
    else await this.#claims!.reconcile(namespace, name);
    return done;
  }
}

/** What must be looked at because of a pod: the pod itself, or what it leaves behind. */
function podKeys(pod: Pod, hasFixedNames: boolean, isOver: boolean): string[] {
  const claims = claimsOf(pod, hasFixedNames);
  // The scheduler makes one for what a pod asks for by names of resources.
  const extended = isOver ? pod.status?.extendedResourceClaimStatus?.resourceClaimName : undefined;
  if (claims.length === 0 && extended === undefined) return [];
  if (!isOver) return [`pod:${objectKey(pod as ApiObject)}`];
  return [...claims.map(({claim}) => claim), extended].flatMap((claim) => (claim ? [`claim:${pod.metadata.namespace}/${claim}`] : []));
}
