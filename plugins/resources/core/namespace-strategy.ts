import {
  FieldPath,
  ifFound,
  inject,
  invalid,
  namespaceFinalizer,
  qualifiedNameFaults,
  strategy,
  Tokens,
  unlessExists,
  type DeleteDecision,
  type FieldError,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {Namespace} from '../../../sdk/types/unchecked/core/v1.js';

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};
const finalizersPath = FieldPath.of('spec', 'finalizers');
const phasePath = FieldPath.of('status', 'phase');

/**
 * Namespace: deleted in two phases. A delete sets its phase to `Terminating`. It is removed when nothing is left in it, that is when the
 * namespace controller has removed its finalizer from `spec.finalizers` through the `finalize` subresource. A namespace without finalizers
 * also becomes `Terminating` first, and is removed by the next delete.
 *
 * Missing namespaces of the platform are created at start.
 */
@strategy()
export class NamespaceStrategy implements ResourceStrategy<Namespace> {
  readonly #finalizer: string;
  readonly #nameLabel: string;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#resources = resources;
    this.#naming = naming;
    this.#finalizer = namespaceFinalizer(naming);
    this.#nameLabel = naming.key('orch/metadata.name');
  }

  applyDefaults(object: Namespace): void {
    this.#labelWithName(object);
    if (!object.status?.phase) object.status = {...object.status, phase: 'Active'};
  }

  prepareForCreate(object: Namespace): void {
    object.status = {phase: 'Active'};
    const finalizers = object.spec?.finalizers ?? [];
    if (!finalizers.includes(this.#finalizer)) object.spec = {...object.spec, finalizers: [...finalizers, this.#finalizer]};
  }

  prepareForUpdate(object: Namespace, old: Namespace, context: StrategyContext): void {
    if (context.subresource === 'finalize') {
      // An empty list is equivalent to none; only the list may differ from the stored object.
      if (object.spec?.finalizers?.length === 0) object.spec = {};
      return;
    }
    const finalizers = old.spec?.finalizers;
    if (finalizers !== undefined) object.spec = {...object.spec, finalizers: [...finalizers]};
    else if (object.spec?.finalizers !== undefined) object.spec = {};
  }

  validateCreate(object: Namespace): FieldError[] {
    return this.#finalizerFaults(object);
  }

  validateUpdate(object: Namespace, _old: Namespace, context: StrategyContext): FieldError[] {
    if (context.subresource === 'status') return phaseFaults(object);
    return this.#finalizerFaults(object);
  }

  canonicalize(object: Namespace): void {
    // Only now a generated name is known.
    this.#labelWithName(object);
  }

  beforeDelete(object: Namespace): DeleteDecision {
    if (object.metadata.deletionTimestamp && this.mayRemove(object)) return {action: 'remove'};
    object.status = {...object.status, phase: 'Terminating'};
    return {action: 'terminate'};
  }

  mayRemove(object: Namespace): boolean {
    return (object.spec?.finalizers ?? []).length === 0;
  }

  start(signal: AbortSignal): Promise<void> {
    return this.bootstrap(signal);
  }

  /** Creates the platform's own namespaces if they are missing. Other servers may do the same at the same time. */
  async bootstrap(signal: AbortSignal): Promise<void> {
    const {systemNamespace, publicNamespace, nodeLeaseNamespace} = this.#naming;
    await Promise.all(['default', systemNamespace, publicNamespace, nodeLeaseNamespace].map((name) => this.#ensure(name, signal)));
  }

  async #ensure(name: string, signal: AbortSignal): Promise<void> {
    if (await ifFound(this.#resources.get(namespaces, '', name))) return;
    signal.throwIfAborted();
    await unlessExists(this.#resources.create(namespaces, '', {apiVersion: 'v1', kind: 'Namespace', metadata: {name}}));
  }

  /** Every namespace has its name as a label, so that selectors can match single namespaces. Other values are overwritten. */
  #labelWithName({metadata}: Namespace): void {
    if (!metadata.name || metadata.labels?.[this.#nameLabel] === metadata.name) return;
    metadata.labels = {...metadata.labels, [this.#nameLabel]: metadata.name};
  }

  #finalizerFaults({spec}: Namespace): FieldError[] {
    return (spec?.finalizers ?? []).flatMap((name) => {
      // The path is that of the list, as in Kubernetes.
      const faults = qualifiedNameFaults(name).map((detail) => invalid(finalizersPath, name, detail));
      if (!name.includes('/') && name !== this.#finalizer) {
        faults.push(invalid(finalizersPath, name, 'name is neither a standard finalizer name nor is it fully qualified'));
      }
      return faults;
    });
  }
}

/** The phase depends only on whether the namespace is being deleted. */
function phaseFaults({metadata, status}: Namespace): FieldError[] {
  const phase = status?.phase;
  const expected = metadata.deletionTimestamp ? 'Terminating' : 'Active';
  if (phase === expected) return [];
  return [
    invalid(phasePath, phase, `may only be '${expected}' if \`deletionTimestamp\` is ${expected === 'Active' ? 'empty' : 'not empty'}`),
  ];
}
