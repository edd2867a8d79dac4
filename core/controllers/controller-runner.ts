import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import {componentPrefix, type Activity, type Logger, type NamingProfile, type ResourceClient, type Store} from '../../sdk/index.js';
import {LeaderElector, type ElectionTimes, type LeaderTerm} from '../../sdk/controllers/index.js';
import type {ControllerContribution} from '../kernel/contributions.js';
import {currentOwner} from './controller-context.js';
import {Lifecycle} from '../kernel/lifecycle.js';
import type {ControllerGate, Permit} from './controller-gate.js';
import {controllersAnnotation, leaseName, serverIdentity, sharedLeaseName} from './lease-names.js';
import {RunningController} from './running-controller.js';
import {StoreFencing} from './store-fencing.js';

export interface ControllerRunnerOptions {
  readonly controllers: readonly ControllerContribution[];
  /** The gate of the instance of a controller that was constructed last. */
  gate(controller: string): ControllerGate;
  readonly store: Store;
  /** For leases. */
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly times: ElectionTimes;
  /** Where it is counted that controllers are being started, for tests that wait until nothing is left to do. */
  readonly activity?: Activity;
  readonly logger: Logger;
}

/** Controllers that any server may run at any time. */
const always: Permit = {whileStopping: true, guard: () => undefined};

/**
 * Runs the controllers of one server: some on every server from the start, the others while the server holds their lease. None of them can take the
 * server down: a failure is logged, and the controller is restarted.
 */
export class ControllerRunner {
  readonly #options: ControllerRunnerOptions;
  readonly #everywhere: RunningController[] = [];
  readonly #electors: LeaderElector[] = [];
  /** Of the lease that most controllers share; the other elections depend on it. */
  #shared: LeaderElector | undefined;
  #sharedHolder = '';
  /** The last holder from whom the shared lease was taken, and when: it has lost the dependent elections too. */
  #gone: {readonly holder: string; readonly at: number} | undefined;
  /** Whether the leases have been asked for. */
  #isCandidate = false;
  /** Of this run of the server: it never comes back. */
  readonly identity = serverIdentity(hostname(), randomUUID());

  constructor(options: ControllerRunnerOptions) {
    this.#options = options;
    const byLease = new Map<string, RunningController[]>();
    for (const contribution of options.controllers) {
      const running = this.#running(contribution);
      const lease = leaseName(contribution.declared, options.naming);
      if (lease === undefined) this.#everywhere.push(running);
      else byLease.set(lease, [...(byLease.get(lease) ?? []), running]);
    }
    for (const [lease, controllers] of byLease) {
      const elector = this.#elector(lease, controllers);
      this.#electors.push(elector);
      if (lease === sharedLeaseName(options.naming)) this.#shared = elector;
    }
  }

  /** @throws KernelError when a controller cannot work with its settings */
  async check(signal: AbortSignal): Promise<void> {
    const checks = this.#options.controllers.flatMap((contribution) => {
      const {instance} = contribution;
      return instance.check ? [{...contribution, instance: {start: () => instance.check!()}}] : [];
    });
    await new Lifecycle(this.#options.logger).start(checks, signal);
  }

  /** Starts what runs everywhere. */
  async start(): Promise<void> {
    await Promise.all(this.#everywhere.map((controller) => controller.start(always)));
  }

  /** Becomes a candidate for the leases. Resolves after the first attempt, successful or not. */
  async lead(): Promise<void> {
    this.#isCandidate = true;
    await this.#counted(Promise.all(this.#electors.map((elector) => elector.start())));
  }

  /** Whether a controller runs, or, if one server runs it at a time, this one may come to be that server. */
  isUp(name: string): boolean {
    const own = this.#everywhere.find((controller) => controller.name === name);
    return own ? own.runs : this.#isCandidate;
  }

  /** The store has another history, in which no server leads: repeats what a start does, and becomes a candidate again. */
  async bootstrap(): Promise<void> {
    await Promise.all(this.#electors.map((elector) => elector.stepDown('the store has lost its history')));
    await Promise.all(this.#everywhere.map((controller) => controller.bootstrap()));
  }

  /** Stops everything and releases the leases. */
  async stop(): Promise<void> {
    await Promise.all([...this.#electors.map((elector) => elector.stop()), ...this.#everywhere.map((controller) => controller.stop())]);
  }

  /**
   * Called with an error that nothing caught, in the context in which it was thrown.
   *
   * @returns whether a controller threw it, and nothing else is affected
   */
  contain(error: unknown): boolean {
    const owner = currentOwner();
    owner?.crashed(error);
    return owner !== undefined;
  }

  async #counted<T>(starting: Promise<T>): Promise<T> {
    const {activity} = this.#options;
    activity?.begin();
    try {
      return await starting;
    } finally {
      activity?.end();
    }
  }

  #running(contribution: ControllerContribution): RunningController {
    const {logger} = this.#options;
    return new RunningController({
      contribution,
      gate: () => this.#options.gate(contribution.name),
      logger,
      timeouts: {},
    });
  }

  /** One that stops releases the lease first: from a holder that still has it, it is only taken once it has run out. */
  #sharedBy(holder: string): void {
    const before = this.#sharedHolder;
    this.#sharedHolder = holder;
    if (before === '' || holder === '') return;
    this.#gone = {holder: before, at: performance.now()};
    for (const elector of this.#electors) elector.reconsider();
  }

  #elector(lease: string, controllers: readonly RunningController[]): LeaderElector {
    const {store, resources, naming, times, logger} = this.#options;
    const fencing = new StoreFencing(store, lease);
    const isAlone = store.exclusive === true;
    const names = controllers.map(({name}) => name).toSorted();
    const annotation = naming.key(controllersAnnotation);
    const elector: LeaderElector = new LeaderElector({
      resources,
      namespace: naming.systemNamespace,
      name: lease,
      identity: this.identity,
      times,
      annotations: {[annotation]: `${this.identity} ${names.join(',')}`},
      isGone: (holder, since) =>
        isAlone ? holder.startsWith(serverIdentity('', '')) : holder === this.#gone?.holder && since < this.#gone.at,
      rides: () => (this.#shared === elector ? undefined : this.#shared?.term),
      renews: !isAlone,
      fencing,
      logger,
      onStart: (term) => {
        const permit = permitOf(term, fencing, () => void elector.stepDown('the store refuses its writes'));
        for (const controller of controllers) void this.#counted(controller.start(permit));
      },
      onEnd: async () => {
        await Promise.all(controllers.map((controller) => controller.stop()));
      },
      onHolder: ({metadata, spec}) => {
        if (this.#shared === elector) this.#sharedBy((spec as {holderIdentity?: string} | undefined)?.holderIdentity ?? '');
        const [holder = '', list = ''] = (metadata.annotations?.[annotation] ?? '').split(' ');
        const missing = names.filter((name) => !list.split(',').includes(name));
        if (holder === '' || holder === this.identity || missing.length === 0) return;
        logger.warn(
          {lease, holder, controllers: missing},
          `${holder} leads and does not run all controllers that this server would: give all ${componentPrefix(naming)} servers of a store the same --controllers`,
        );
      },
    });
    return elector;
  }
}

function permitOf(term: LeaderTerm, fencing: StoreFencing, refused: () => void): Permit {
  return {
    refused,
    guard: (type, key) => {
      term.check();
      return fencing.guard(type, key);
    },
  };
}
