import {Backoff, type Logger} from '../../sdk/index.js';
import type {ControllerContribution} from '../kernel/contributions.js';
import {Lifecycle, type LifecycleTimeouts} from '../kernel/lifecycle.js';
import {inside} from './controller-context.js';
import type {ControllerGate, Permit} from './controller-gate.js';

/** Waits before a controller that failed is started again. */
const restarts = {initialMillis: 1000, maximumMillis: 60_000};
/** Milliseconds after which a restarted controller counts as recovered. */
const steadyMillis = 60_000;

export interface RunningControllerOptions {
  readonly contribution: ControllerContribution;
  /** The gate of the instance that was constructed last. */
  readonly gate: () => ControllerGate;
  readonly logger: Logger;
  readonly timeouts: LifecycleTimeouts;
}

/** One controller over its instances: the first, and a new one after each failure and in each term of leadership. */
export class RunningController {
  readonly #options: RunningControllerOptions;
  readonly #backoff = new Backoff(restarts);
  /** Constructed with the server, which proves that it can be. */
  #unused: ControllerContribution['instance'] | undefined;
  #current: {readonly lifecycle: Lifecycle; readonly gate: ControllerGate; readonly since: number} | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Starts and stops, one after the other. */
  #last: Promise<void> = Promise.resolve();
  #permit: Permit | undefined;

  constructor(options: RunningControllerOptions) {
    this.#options = options;
    this.#unused = options.contribution.instance;
  }

  get name(): string {
    return this.#options.contribution.name;
  }

  /** Whether an instance runs. */
  get runs(): boolean {
    return this.#current !== undefined;
  }

  /** Starts an instance; one that fails is started again after a pause, as long as it is not stopped. */
  start(permit: Permit): Promise<void> {
    this.#permit = permit;
    return this.#then(() => this.#startInstance(permit));
  }

  /** Resolves when no instance runs. Further writes of an instance are refused, unless its permit lasts until it has stopped. */
  stop(): Promise<void> {
    if (this.#permit?.whileStopping !== true) this.#current?.gate.close();
    this.#permit = undefined;
    clearTimeout(this.#timer);
    return this.#then(() => this.#stopInstance());
  }

  /** Makes the instance create again what it created at its start. @throws KernelError */
  async bootstrap(): Promise<void> {
    const current = this.#current;
    if (current) await inside(this, () => current.lifecycle.bootstrap());
  }

  /** Takes the instance out of service because of an error that it did not catch. */
  crashed(error: unknown): void {
    const permit = this.#permit;
    this.#options.logger.error(
      {controller: this.name, plugin: this.#options.contribution.plugin, err: error},
      'a controller failed outside of its loops; it is started again',
    );
    if (!permit || !this.#current) return;
    this.#current.gate.close();
    void this.#then(async () => {
      await this.#stopInstance();
      this.#startLater(permit);
    });
  }

  async #startInstance(permit: Permit): Promise<void> {
    if (this.#permit !== permit || this.#current) return;
    const {contribution, gate, logger, timeouts} = this.#options;
    try {
      const instance = this.#unused ?? contribution.another();
      this.#unused = undefined;
      const own = gate();
      own.open(permit);
      const lifecycle = new Lifecycle(logger, timeouts);
      this.#current = {lifecycle, gate: own, since: performance.now()};
      await inside(this, () => lifecycle.start([{...contribution, instance}]));
    } catch (error) {
      this.#current?.gate.close();
      this.#current = undefined;
      logger.error(
        {controller: this.name, plugin: contribution.plugin, err: error},
        'a controller could not be started; it is tried again',
      );
      this.#startLater(permit);
    }
  }

  #startLater(permit: Permit): void {
    if (this.#permit !== permit) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#then(() => this.#startInstance(permit)), this.#backoff.next()).unref();
  }

  async #stopInstance(): Promise<void> {
    const current = this.#current;
    if (!current) return;
    this.#current = undefined;
    if (performance.now() - current.since > steadyMillis) this.#backoff.reset();
    try {
      await inside(this, () => current.lifecycle.stop());
    } catch (error) {
      this.#options.logger.error(
        {controller: this.name, plugin: this.#options.contribution.plugin, err: error},
        'a controller did not stop cleanly',
      );
    } finally {
      current.gate.close();
    }
  }

  #then(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work);
    return this.#last;
  }
}
