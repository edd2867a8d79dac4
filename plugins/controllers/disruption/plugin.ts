import {
  controller,
  inject,
  isConflict,
  isNotFound,
  Tokens,
  type ApiObject,
  type Clock,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {done, EventRecorder, objectKey, Reconciler, splitObjectKey, systemClock, type WorkResult} from '../../../sdk/controllers/index.js';
import {compileSelector, isEmptySelector, selectorText} from '../../../sdk/labels/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodDisruptionBudget, PodDisruptionBudgetStatus} from '../../../sdk/types/unchecked/policy/v1.js';
import {countBudget, isRelative} from './budget-counts.js';
import {countedStatus, failedStatus} from './budget-status.js';
import {expectedScale} from './expected-scale.js';
import {unmanagedNote} from './unmanaged-note.js';

const budgets: ResourceRef = {group: 'policy', version: 'v1', resource: 'poddisruptionbudgets'};

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
/** Delay before a budget that could not be counted is tried again, if none of its pods changes. */
const retryMillis = 30_000;

/** A budget whose pods are watched. */
interface Known {
  readonly selects: ReturnType<typeof compileSelector>;
  /** Names of the pods in the last count. */
  counted: ReadonlySet<string>;
}

/**
 * Maintains the status of PodDisruptionBudgets, by which evictions are allowed. Safe on several servers of one store: counting follows the
 * read of the budget, and the write fails if the budget has changed since.
 */
@controller()
export class DisruptionController extends Reconciler {
  /** By namespace, then by key. */
  readonly #known = new Map<string, Map<string, Known>>();
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #clock: Clock;
  readonly #events: EventRecorder;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    super({
      resources,
      naming,
      logger,
      concurrency: config['concurrency'] as number,
      figures: {metrics, name: 'disruption'},
      types: [
        {
          ref: budgets,
          startFromCache: true,
          changed: (budget) => this.#budgetChanged(budget),
          deleted: (budget) => this.#budgetGone(budget),
        },
      ],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#naming = naming;
    this.#clock = resources.clock ?? systemClock;
    this.#events = new EventRecorder({resources, logger, controller: 'controllermanager', form: 'core'});
  }

  /** Pods are watched from the first budget on, so that servers without budgets do not pay for it. */
  #budgetChanged(budget: PodDisruptionBudget & ApiObject): string[] {
    const key = objectKey(budget);
    const namespace = budget.metadata.namespace!;
    let known = this.#known.get(namespace);
    if (known === undefined) this.#known.set(namespace, (known = new Map()));
    known.set(key, {selects: compileSelector(budget.spec?.selector), counted: known.get(key)?.counted ?? new Set()});
    this.follow({ref: pods, changesOnly: true, changed: (pod) => this.#podChanged(pod), listed: () => this.#keys()});
    return [key];
  }

  #budgetGone(budget: ApiObject): string[] {
    const namespace = budget.metadata.namespace!;
    const known = this.#known.get(namespace);
    known?.delete(objectKey(budget));
    if (known?.size === 0) this.#known.delete(namespace);
    return [];
  }

  #keys(): string[] {
    return [...this.#known.values()].flatMap((known) => [...known.keys()]);
  }

  /** The budgets that select a pod, and those that did before its labels changed. */
  #podChanged(pod: ApiObject): string[] {
    const {metadata} = pod;
    const known = this.#known.get(metadata.namespace!) ?? new Map<string, Known>();
    const [first, second] = [...known].filter(([, {selects}]) => selects(metadata.labels));
    if (first && second) {
      const chosen = splitObjectKey(first[0])[1];
      const note = `Pod "${metadata.namespace}"/"${metadata.name}" matches multiple PodDisruptionBudgets.  Chose "${chosen}" arbitrarily.`;
      this.#podEvent(pod, 'MultiplePodDisruptionBudgets', note);
    }
    return [...known].filter(([, {selects, counted}]) => counted.has(metadata.name!) || selects(metadata.labels)).map(([key]) => key);
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    try {
      const budget = (await this.#resources.get(budgets, namespace, name)) as PodDisruptionBudget;
      return await this.#count(budget, key);
    } catch (error) {
      if (isNotFound(error)) return done;
      if (isConflict(error)) return {again: 0};
      throw error;
    }
  }

  async #count(budget: PodDisruptionBudget, key: string): Promise<WorkResult> {
    const namespace = budget.metadata.namespace!;
    const covered = await this.#podsOf(budget);
    const known = this.#known.get(namespace)?.get(key);
    if (known) known.counted = new Set(covered.map(({metadata}) => metadata.name!));
    if (covered.length === 0) this.#event(budget, 'Normal', 'NoPods', 'No matching pods found');
    const now = this.#clock.now();
    let scale = 0;
    try {
      if (isRelative(budget)) scale = await this.#scaleOf(budget, covered);
    } catch (error) {
      const {message} = error as Error;
      this.#event(budget, 'Warning', 'CalculateExpectedPodCountFailed', `Failed to calculate the number of expected pods: ${message}`);
      await this.#report(budget, failedStatus(budget, message, now));
      return {again: retryMillis};
    }
    const counts = countBudget(budget, covered, scale, now);
    // Kubernetes writes the namespace in place of the name.
    const note = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    for (const pod of counts.notDeleted) this.#podEvent(pod, 'NotDeleted', note);
    await this.#report(budget, countedStatus(budget, counts, now));
    return counts.recountInMillis === Infinity ? done : {again: counts.recountInMillis};
  }

  async #scaleOf(budget: PodDisruptionBudget, covered: readonly Pod[]): Promise<number> {
    const {replicas, hasUnmanaged} = await expectedScale(this.#resources, this.#naming, budget.metadata.namespace!, covered);
    if (hasUnmanaged) this.#event(budget, 'Warning', 'UnmanagedPods', unmanagedNote(budget));
    return replicas;
  }

  #event(budget: PodDisruptionBudget, type: 'Normal' | 'Warning', reason: string, note: string): void {
    const subject = {...budget, apiVersion: 'policy/v1', kind: 'PodDisruptionBudget'} as ApiObject;
    this.#events.record(subject, {type, reason, note});
  }

  #podEvent(pod: Pod | ApiObject, reason: string, note: string): void {
    this.#events.record({...pod, apiVersion: 'v1', kind: 'Pod'} as ApiObject, {type: 'Warning', reason, note});
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#events.close();
  }

  /** An empty selector selects all pods of the namespace, a missing one selects none. */
  async #podsOf({metadata, spec}: PodDisruptionBudget): Promise<Pod[]> {
    if (!spec?.selector) return [];
    const labels = isEmptySelector(spec.selector) ? {} : {labelSelector: selectorText(spec.selector)};
    return (await this.#resources.list(pods, metadata.namespace!, labels)).items as Pod[];
  }

  async #report(budget: PodDisruptionBudget, status: PodDisruptionBudgetStatus): Promise<void> {
    if (sameValue(status, budget.status)) return;
    await this.#resources.update(budgets, budget.metadata.namespace!, {...budget, status} as ApiObject, 'status');
  }
}
