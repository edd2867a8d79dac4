import {randomBytes} from 'node:crypto';
import type {Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {Backoff} from '../../../sdk/values/backoff.js';
import type {Logger} from '../../../sdk/contracts/logger.js';
import {SharedListener} from '../../workers/shared-listener.js';
import {Child, exitText} from './child.js';
import type {FromChild, MetricsForm} from './messages.js';

/** Milliseconds that a worker has to end: it waits for idle clients, then for requests in progress. */
const retireMillis = 40_000;
const stopMillis = 30_000;
/** Milliseconds after which a worker counts as started without a fault. */
const soundMillis = 60_000;
/** Milliseconds that a worker has to report its metrics; a busier one is left out of the response. */
const metricsMillis = 3000;
/** Connections that wait while no worker is ready. */
const maximumHeld = 1000;

export interface SupervisorOptions {
  /** The command line of `orch serve`. */
  readonly args: readonly string[];
  readonly workers: number;
  readonly bindAddress: string;
  readonly port: number;
  /** Where the store is handed on, if one process has it. */
  readonly storeUrl: string;
  readonly logger: Logger;
}

/** The contents of the line printed at start. */
export type Ready = Extract<FromChild, {kind: 'ready'}>;

/** Starts the processes of a server, listens for them, and starts again what ends (docs/decisions/0036-workers-of-one-machine.md). */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #workers = new Set<Child<'ready'>>();
  readonly #held = new Set<Socket>();
  readonly #workerBackoff = restartBackoff();
  readonly #storeBackoff = restartBackoff();
  readonly #stopping = new AbortController();
  #listener: SharedListener | undefined;
  #store: Child<'store'> | undefined;
  #isHandedOn = false;
  #ticketKeys = '';
  #started = false;
  #isReplacing = false;
  #again = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /**
   * Resolves when all workers answer requests. The first one starts alone, since it creates the certificates, keys and first objects.
   *
   * @throws Error when one of them ends before; it has logged why, unless `isLogged` is false
   */
  async start(): Promise<Ready> {
    const {bindAddress, port, workers} = this.#options;
    this.#listener = await SharedListener.open(bindAddress, port, (socket) => this.#accept(socket));
    this.#store = this.#startStore();
    this.#isHandedOn = (await this.#store.ready).isHandedOn;
    this.#newTickets();
    const first = await this.#startWorker().ready;
    this.#stopping.signal.throwIfAborted();
    const others = Array.from({length: workers - 1}, () => this.#startWorker());
    await Promise.all(others.map(({ready}) => ready));
    this.#started = true;
    return first;
  }

  /** Replaces all workers, one after the other: each leaves when the one before has been replaced. Calls in between cause one more round. */
  replaceWorkers(): void {
    this.#again = true;
    if (!this.#isReplacing) void this.#replace();
  }

  /** Lets requests in progress finish, then ends the processes, the store process last. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#listener?.close();
    for (const socket of this.#held) socket.destroy();
    await Promise.all([...this.#workers].map((worker) => worker.end('stop', stopMillis)));
    await this.#store?.end('stop', stopMillis);
  }

  /** Ends all processes at once. */
  kill(): void {
    for (const worker of this.#workers) worker.kill();
    this.#store?.kill();
  }

  async #replace(): Promise<void> {
    this.#isReplacing = true;
    while (this.#again && !this.#isStopping) {
      this.#again = false;
      await this.#replaceAll();
    }
    this.#isReplacing = false;
  }

  async #replaceAll(): Promise<void> {
    const {logger} = this.#options;
    logger.info({}, 'the workers are replaced');
    // Sessions verified with the CAs of a former worker are not resumed: the new one may have other CAs.
    this.#newTickets();
    for (const old of [...this.#workers].filter(({state}) => state !== 'leaving')) {
      const next = this.#startWorker();
      try {
        await next.ready;
      } catch (error) {
        if (!this.#isStopping) logger.error({err: error}, 'a new worker did not start: those that are there stay');
        return;
      }
      if (this.#isStopping) return;
      logger.info({worker: old.number, by: next.number}, 'a worker is replaced');
      await old.end('retire', retireMillis);
    }
    logger.info({}, 'all workers have been replaced');
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #newTickets(): void {
    this.#ticketKeys = randomBytes(48).toString('base64');
  }

  #startStore(): Child<'store'> {
    const {args, storeUrl} = this.#options;
    const child = new Child({kind: 'store', args, url: storeUrl}, 'store');
    this.#options.logger.info({pid: child.pid}, 'the process with the store is started');
    void child.exited.then(async (exit) => {
      if (this.#isStopping || !this.#isHandedOn) return;
      this.#options.logger.error({pid: child.pid, reason: exitText(exit)}, 'the process with the store has ended; it is started again');
      await this.#pause(this.#storeBackoff, child);
      if (!this.#isStopping) this.#store = this.#startStore();
    });
    return child;
  }

  #startWorker(): Child<'ready'> {
    const {args, workers, storeUrl, logger} = this.#options;
    const taken = new Set([...this.#workers].map(({number}) => number));
    let number = 1;
    while (taken.has(number)) number += 1;
    const store = this.#isHandedOn ? storeUrl : undefined;
    const {port} = this.#listener!;
    const child = new Child({kind: 'worker', args, number, workers, port, store, ticketKeys: this.#ticketKeys}, 'ready', number);
    this.#workers.add(child);
    logger.info({worker: number, pid: child.pid}, 'a worker is started');
    child.onAskMetrics = (id, form) => void this.#reportMetrics(child, id, form);
    void child.ready.then(
      () => this.#handOutHeld(),
      () => undefined,
    );
    void child.exited.then(async (exit) => {
      this.#workers.delete(child);
      if (this.#isStopping || child.state === 'leaving' || !this.#started) return;
      logger.error({worker: number, pid: child.pid, reason: exitText(exit)}, 'a worker has ended; another one is started');
      await this.#pause(this.#workerBackoff, child);
      this.#fill();
    });
    return child;
  }

  async #reportMetrics(asking: Child<'ready'>, id: number, form: MetricsForm): Promise<void> {
    const others = [...this.#workers].filter((worker) => worker !== asking && worker.state !== 'starting');
    const texts = await Promise.all(
      others.map(async (worker) => ({process: String(worker.number), text: await worker.metrics(form, metricsMillis)})),
    );
    asking.send({kind: 'metrics-of-others', id, texts: texts.flatMap(({process, text}) => (text === undefined ? [] : [{process, text}]))});
  }

  /** Starts missing workers. */
  #fill(): void {
    while (!this.#isStopping && [...this.#workers].filter(({state}) => state !== 'leaving').length < this.#options.workers)
      this.#startWorker();
  }

  async #pause(backoff: Backoff, child: {readonly startedAt: number}): Promise<void> {
    if (performance.now() - child.startedAt > soundMillis) backoff.reset();
    await sleep(backoff.next(), undefined, {signal: this.#stopping.signal}).catch(() => undefined);
  }

  /** Gives a connection to the worker that has the fewest. */
  #accept(socket: Socket): void {
    let least: Child<'ready'> | undefined;
    for (const worker of this.#workers) {
      if (worker.state === 'ready' && (!least || worker.connections < least.connections)) least = worker;
    }
    if (least) return least.give(socket);
    if (this.#held.size >= maximumHeld) return void socket.destroy();
    this.#held.add(socket);
    socket.once('error', () => undefined).once('close', () => this.#held.delete(socket));
  }

  #handOutHeld(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const socket of held) this.#accept(socket);
  }
}

function restartBackoff(): Backoff {
  return new Backoff({initialMillis: 100, maximumMillis: 30_000});
}
