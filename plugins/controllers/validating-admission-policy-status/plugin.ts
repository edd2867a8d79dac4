import {
  controller,
  inject,
  isNotFound,
  Tokens,
  type ApiObject,
  type Expressions,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type ServedSchemas,
} from '../../../sdk/index.js';
import {done, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {ValidatingAdmissionPolicy} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {servedPolicyVersion} from '../../families/admission-policies/policy-version.js';
import type {TypeChecks} from './type-checks.js';

/** Who owns what it writes (Kubernetes' name). */
const fieldManager = 'validatingadmissionpolicy-status';
const resource = 'validatingadmissionpolicies';

/**
 * Writes into the status of each ValidatingAdmissionPolicy what its expressions have against the types that its rules name. It has no effect on what the
 * policy does: it is for its author.
 */
@controller()
export class PolicyStatusController extends Reconciler {
  readonly #resources: ResourceClient;
  readonly #ref: ResourceRef;
  /** Loaded for the first policy. */
  readonly #loadChecks: () => Promise<TypeChecks>;
  #checks: Promise<TypeChecks> | undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.ServedSchemas) schemas: ServedSchemas,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    // The types are known only when it is started.
    const ref: ResourceRef = {
      group: 'admissionregistration.orch',
      resource,
      get version() {
        return servedPolicyVersion(resources, naming, resource) ?? 'v1';
      },
    };
    super({
      resources,
      naming,
      logger,
      concurrency: 1,
      figures: {metrics, name: 'validatingadmissionpolicy-status'},
      types: [{ref, startFromCache: true, changed: (policy) => (isBehind(policy) ? [objectKey(policy)] : [])}],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#ref = ref;
    this.#loadChecks = async () => {
      const {TypeChecks: Loaded} = await import('./type-checks.js');
      return new Loaded(resources, naming, expressions, schemas);
    };
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [, name] = splitObjectKey(key);
    try {
      const policy = await this.#resources.get(this.#ref, '', name);
      if (!isBehind(policy)) return done;
      const expressionWarnings = await (
        await (this.#checks ??= this.#loadChecks())
      ).warningsOf((policy as ValidatingAdmissionPolicy).spec ?? {});
      const status = {
        observedGeneration: policy.metadata.generation,
        typeChecking: expressionWarnings.length > 0 ? {expressionWarnings} : {},
      };
      // With the uid: a policy that has taken its place is another one.
      const {uid} = policy.metadata;
      const {apiVersion, kind} = policy;
      const configuration = {apiVersion, kind, metadata: {name, ...(uid === undefined ? {} : {uid})}, status};
      await this.#resources.apply(this.#ref, '', configuration as unknown as ApiObject, {fieldManager, force: true}, 'status');
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return done;
  }
}

/** Whether the status is about an older spec. */
function isBehind(object: ApiObject): boolean {
  const {metadata, status} = object as ValidatingAdmissionPolicy;
  return Number(metadata.generation ?? 0) > Number(status?.observedGeneration ?? 0);
}
