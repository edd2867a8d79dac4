import {type ApiObject, type DeleteDecision} from '../../../sdk/index.js';
import {cloneJson} from '../../api/json/clone-json.js';
import {foregroundFinalizer, orphanFinalizer} from '../../api/metadata/finalizers.js';
import {convertToStored} from '../../api/types/convert.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import {transientObject, type DeleteResult} from '../result-object.js';
import {timestamp, type ServedVersion} from '../served-version.js';
import {WriteRequest} from './admission-request.js';
import {admissionOptions, type DeleteOptions} from './delete-options.js';
import type {Write} from './pipeline.js';
import {checkDeletion} from './preconditions.js';
import {strategyContext, type WriteScope} from './write-scope.js';

/**
 * Deletes an object, or marks it as terminating if finalizers, dependents or a grace period delay its deletion
 * (docs/semantics/deletion.md#finalizers).
 */
export class RemovedObject implements Write<DeleteResult> {
  object!: ApiObject;
  readonly admission: WriteRequest;
  readonly #old: ApiObject;
  #decision: DeleteDecision = {action: 'remove'};
  #finalizers: readonly string[] = [];
  readonly #options: DeleteOptions;
  readonly #current: CachedObject;
  readonly #shown: CachedObject;

  /** @param shown the current object in the version of the request */
  constructor(
    readonly scope: WriteScope,
    options: DeleteOptions,
    current: CachedObject,
    shown: CachedObject,
  ) {
    this.#options = options;
    this.#current = current;
    this.#shown = shown;
    this.#old = shown.object();
    const admitted = {...scope, oldObject: this.#old, options: admissionOptions(options), ofCollection: options.ofCollection};
    this.admission = new WriteRequest('DELETE', admitted, {object: undefined});
  }

  makeObject(): void {
    const {served, target} = this.scope;
    checkDeletion(served, target.name, this.#options.preconditions, this.#old.metadata);
    this.object = cloneJson(this.#old);
  }

  prepare(): void {
    const {object} = this;
    const {served} = this.scope;
    const options = this.#options;
    this.#decision =
      served.type.strategy?.beforeDelete?.(object, options.gracePeriodSeconds, strategyContext(this.scope)) ?? this.#decision;
    // After the strategy, which may add one.
    this.#finalizers = finalizersFor(served, object, options);
  }

  async commit(): Promise<DeleteResult> {
    const {object} = this;
    const {served, target, context} = this.scope;
    const current = this.#current;
    const shown = this.#shown;
    const {namespace, name} = target;
    const {type, version, storage, view} = served;
    if (this.#finalizers.length === 0 && this.#decision.action === 'remove') {
      if (!context.dryRun) await storage.delete(namespace, name, current.revision, context.guard);
      return {removed: true, result: shown};
    }
    if (!this.#markTerminating(this.#decision.action === 'terminate' ? this.#decision.gracePeriodSeconds : 0))
      return {removed: false, result: shown};
    if (context.dryRun) return {removed: false, result: transientObject(object)};
    const stored = await convertToStored(object, version);
    const cached = await storage.update(stored, current, namespace, name, type.storageVersion.schemaMark, context.guard);
    return {removed: false, result: await view.converted(cached)};
  }

  /** Returns whether anything changed: a second delete does not change a terminating object, unless it shortens the grace period. */
  #markTerminating(gracePeriodSeconds: number | undefined): boolean {
    const {metadata} = this.object;
    const sameFinalizers = JSON.stringify(metadata.finalizers ?? []) === JSON.stringify(this.#finalizers);
    if (!sameFinalizers) {
      if (this.#finalizers.length > 0) metadata.finalizers = [...this.#finalizers];
      else delete metadata.finalizers;
    }
    if (metadata.deletionTimestamp) {
      if (gracePeriodSeconds === undefined || gracePeriodSeconds >= (metadata.deletionGracePeriodSeconds ?? 0)) return !sameFinalizers;
      const start = Date.parse(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
      metadata.deletionTimestamp = timestamp(Math.max(start + gracePeriodSeconds * 1000, 0));
    } else {
      metadata.deletionTimestamp = timestamp(this.scope.now + (gracePeriodSeconds ?? 0) * 1000);
      if (metadata.generation) metadata.generation += 1;
    }
    if (gracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds = gracePeriodSeconds;
    return true;
  }
}

/** The finalizers of the terminating object: those it has, and the one for the propagation policy. */
function finalizersFor(served: ServedVersion, object: ApiObject, options: DeleteOptions): string[] {
  const present = object.metadata.finalizers ?? [];
  const {defaultDelete} = served.type.behaviour;
  const named = present.includes(orphanFinalizer) ? 'Orphan' : present.includes(foregroundFinalizer) ? 'Foreground' : defaultDelete;
  const policy = defaultDelete === 'Unsupported' ? defaultDelete : (options.propagationPolicy ?? named);
  const others = present.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  if (policy === 'Orphan') return [...others, orphanFinalizer];
  if (policy === 'Foreground') return [...others, foregroundFinalizer];
  return others;
}
