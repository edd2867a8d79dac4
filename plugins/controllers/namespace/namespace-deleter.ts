import {ifFound, unlessOvertaken, type ResourceClient} from '../../../sdk/index.js';
import {done, type WorkResult} from '../../../sdk/controllers/index.js';
import type {Namespace} from '../../../sdk/types/unchecked/core/v1.js';
import {withConditions} from './namespace-conditions.js';
import type {AggregatedContent} from './aggregated-content.js';
import {emptyNamespace, isEmpty, isPods, joinedContent, type NamespaceContent} from './namespace-content.js';
import {hasNoFinalizers, isDeletedBy, namespaces} from './namespace-object.js';

/**
 * Pause before the next check of a namespace whose contents wait for other finalizers or grace periods: a quarter of the time waited so
 * far. So it is deleted soon after that is possible, and one that hangs for days costs little.
 */
function pauseAfter(waitedMillis: number): number {
  return Math.min(Math.max(waitedMillis / 4, 50), 10_000);
}

interface Progress {
  readonly uid: string;
  /** When this controller first saw the namespace terminating, by `performance.now()`. */
  readonly since: number;
}

export interface DeleterOptions {
  /** The name in `spec.finalizers` that stands for this controller. */
  readonly finalizer: string;
  /** How long a namespace stays at least, so that writes that passed admission before the delete have arrived and are found. */
  readonly settleMillis: number;
  /** Whether everything else stays until no pod is left, so that none runs without the policies and secrets it was made for. */
  readonly podsFirst: boolean;
}

/** Performs one step of deleting a terminating namespace. Safe to run on several servers at once. */
export class NamespaceDeleter {
  readonly #progress = new Map<string, Progress>();
  readonly #resources: ResourceClient;
  readonly #aggregated: AggregatedContent;
  readonly #finalizer: string;
  readonly #settleMillis: number;
  readonly #podsFirst: boolean;

  constructor(resources: ResourceClient, aggregated: AggregatedContent, {finalizer, settleMillis, podsFirst}: DeleterOptions) {
    this.#resources = resources;
    this.#aggregated = aggregated;
    this.#finalizer = finalizer;
    this.#settleMillis = settleMillis;
    this.#podsFirst = podsFirst;
  }

  async sync(name: string): Promise<WorkResult> {
    const namespace = (await ifFound(this.#resources.get(namespaces, '', name))) as Namespace | undefined;
    if (namespace === undefined || !isDeletedBy(namespace, this.#finalizer)) {
      this.#progress.delete(name);
      return done;
    }
    const progress = this.#progressOf(name, namespace);
    // Before the look: what settles while it goes on might have been missed by it.
    const early = progress.since + this.#settleMillis - performance.now();
    const content = await this.#empty(name);
    const unheld = hasNoFinalizers(namespace);
    const current = unheld ? namespace : await this.#report(namespace, content);
    if (current === undefined) return {again: 0};
    if (!isEmpty(content)) return {again: pauseAfter(performance.now() - progress.since)};
    if (early > 0) return {again: early};
    if (unheld) await this.#remove(current);
    else if (!(await this.#finalize(current))) return {again: 0};
    this.#progress.delete(name);
    return done;
  }

  async #empty(name: string): Promise<NamespaceContent> {
    if (this.#podsFirst) {
      const pods = await emptyNamespace(this.#resources, name, isPods);
      if (!isEmpty(pods)) return {...pods, undiscovered: this.#aggregated.undiscovered()};
    }
    const own = await emptyNamespace(this.#resources, name);
    const undiscovered = this.#aggregated.undiscovered();
    return joinedContent(own, {...(await emptyNamespace(this.#aggregated, name)), undiscovered});
  }

  #progressOf(name: string, {metadata}: Namespace): Progress {
    const known = this.#progress.get(name);
    if (known !== undefined && known.uid === metadata.uid) return known;
    const fresh = {uid: metadata.uid ?? '', since: performance.now()};
    this.#progress.set(name, fresh);
    return fresh;
  }

  /**
   * Records what remains in the namespace's status. Returns the resulting namespace, or undefined if it has changed meanwhile and must be
   * checked again.
   */
  async #report(namespace: Namespace, content: NamespaceContent): Promise<Namespace | undefined> {
    const changed = withConditions(namespace, content, new Date());
    if (changed === undefined) return namespace;
    return (await unlessOvertaken(this.#resources.update(namespaces, '', changed, 'status'))) as Namespace | undefined;
  }

  /** Removes the finalizer, which deletes the namespace unless it has others. Returns whether that succeeded. */
  async #finalize(namespace: Namespace): Promise<boolean> {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== this.#finalizer);
    const changed = {...namespace, spec: {...namespace.spec, finalizers}};
    return (await unlessOvertaken(this.#resources.update(namespaces, '', changed, 'finalize'))) !== undefined;
  }

  /** Deletes a namespace that is empty and has no finalizers left. */
  async #remove({metadata}: Namespace): Promise<void> {
    await unlessOvertaken(this.#resources.delete(namespaces, '', metadata.name!, {uid: metadata.uid!}));
  }
}
