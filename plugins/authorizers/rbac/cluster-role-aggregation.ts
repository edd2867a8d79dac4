import {
  controller,
  inject,
  SlicedWork,
  taskOf,
  StatusError,
  Tokens,
  WorkExceeded,
  type Controller,
  type Logger,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, followObjects, WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import {aggregatedRulesInSlices} from './aggregated-rules.js';
import type {PolicyRule} from '../../families/rbac/policy-rule.js';
import {clusterRoles, type RoleObject} from './rbac-objects.js';

/** Comparisons of selectors with roles for one aggregated role; far above what real ones need. */
const maximumSteps = 50_000_000;

/**
 * Maintains the rules of aggregated cluster roles (`aggregationRule`) whenever any cluster role changes. Rules that a user writes to such a
 * role are overwritten.
 */
@controller()
export class ClusterRoleAggregation implements Controller {
  readonly #roles = new Map<string, RoleObject>();
  #queue: WorkQueue | undefined;
  #following: Promise<void> | undefined;
  #complete = false;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Logger) logger: Logger) {
    this.#resources = resources;
    this.#logger = logger;
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#queue = new WorkQueue((name) => this.#aggregate(name), {
      concurrency: 1,
      scheduler: this.#resources.scheduler,
      onError: (name, error) => this.#logger.warn({clusterRole: name, err: error}, 'aggregating rules failed; it is tried again'),
    });
    const follower = {
      changed: (role: RoleObject) => {
        this.#roles.set(role.metadata.name!, role);
        this.#enqueue();
      },
      deleted: (role: RoleObject) => {
        this.#roles.delete(role.metadata.name!);
        this.#enqueue();
      },
      listed: () => {
        this.#complete = true;
        this.#enqueue();
      },
      failed: (error: unknown) => this.#logger.warn({err: error}, 'following cluster roles failed; it is tried again'),
    };
    this.#following = followObjects(this.#resources, clusterRoles, follower, signal, {startFromCache: true});
  }

  async stop(): Promise<void> {
    await this.#queue?.close();
    await this.#following;
  }

  /** Rules are not aggregated until all roles are known. */
  #enqueue(): void {
    if (!this.#complete) return;
    for (const [name, {aggregationRule}] of this.#roles) if (aggregationRule) this.#queue!.add(name);
  }

  /** Undefined for a role that is not aggregated, or by too many selectors. */
  async #rulesOf(role: RoleObject): Promise<PolicyRule[] | undefined> {
    try {
      return await aggregatedRulesInSlices(
        role,
        this.#roles.values(),
        new SlicedWork(maximumSteps, taskOf(this.#resources, 'background', 'aggregation of roles')),
      );
    } catch (err) {
      if (!(err instanceof WorkExceeded)) throw err;
      this.#logger.warn({clusterRole: role.metadata.name, err}, 'a role has too many selectors to be aggregated');
      return undefined;
    }
  }

  async #aggregate(name: string): Promise<WorkResult> {
    const role = this.#roles.get(name);
    const rules = role && (await this.#rulesOf(role));
    if (!rules || sameValue(rules, role.rules ?? [])) return done;
    try {
      await this.#resources.patch(clusterRoles, '', name, {metadata: {uid: role.metadata.uid}, rules});
    } catch (error) {
      // Deleted, or recreated in a form that cannot be patched: an event for that follows.
      if (!StatusError.is(error) || ![404, 409, 422].includes(error.code)) throw error;
    }
    return done;
  }
}
