import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {inspectable} from '../bench/inspector.js';
import {heapOf, type HeapUsage} from '../bench/server-heap.js';
import {residentMegabytes} from '../bench/process-usage.js';
import {quietControllers} from '../../testing/quiet-controllers.js';
import {httpsClient, type HttpsClient, type HttpsResponse} from '../../test/helpers/https-client.js';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {tempFolder, type Teardown} from '../../test/helpers/temp-folder.js';

interface Running {
  readonly process: OrchProcess;
  readonly client: HttpsClient;
}

/** How long a request is repeated while servers come and go. */
const patienceMillis = 60_000;
/** Of a server that does not answer: it is paused. */
const longestAnswerMillis = 30_000;
/** The controllers of a soak without a cluster. */
export const soakControllers: readonly string[] = [...quietControllers, 'statefulset', 'bootstrapsigner', 'tokencleaner'];
const leaseSeconds = 5;
/** Somebody else leads soon after a leader was killed. */
const election = [`--leader-elect-lease-duration=${leaseSeconds}s`, '--leader-elect-renew-deadline=4s', '--leader-elect-retry-period=1s'];
/** Shorter than the history, so that events do not pile up for an hour. */
const eventTtl = '--event-ttl=1m';
/** How long it takes at most until the controllers of a new leader have seen all objects. */
const settledAfterMillis = 10_000;
const auditPolicy = `apiVersion: audit.orch/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Request
  userGroups: ['system:serviceaccounts']
  verbs: [delete, deletecollection, patch]
- level: None
`;
/** Longer than a lease. */
const pauseMillis = 7000;

export interface SoakServerOptions {
  /** Of each server. */
  readonly arguments: readonly string[];
  /** Where what controllers delete and change is recorded; nowhere without it. */
  readonly auditFolder?: string | undefined;
}

/** Two servers on one store, one of which is killed from time to time. */
export class SoakServers {
  readonly #running: (Running | undefined)[] = [];
  readonly #folders: string[] = [];
  readonly #teardown: Teardown;
  readonly #store: string;
  readonly #options: SoakServerOptions;
  readonly #logs: string[] = [];
  readonly #paused = new Set<number>();
  #lastTerm = {terms: 0, noticedAt: 0};
  kills = 0;
  pauses = 0;
  repeated = 0;

  constructor(t: Teardown, store: string, options: SoakServerOptions) {
    this.#teardown = t;
    this.#store = store;
    this.#options = options;
    t.teardown(() => this.stop());
  }

  get interruptions(): number {
    return this.kills + this.pauses;
  }

  /** How often a server has begun to lead the controllers: who is kept from the processor for long loses that too. */
  get terms(): number {
    return this.#allLogs.reduce((sum, log) => sum + log.split('"msg":"leads"').length - 1, 0);
  }

  /**
   * The same; NaN while the controllers of the last term may not have seen everything, or not have learned of a type: a leader that is behind by more than its
   * lease leads no more.
   *
   * @param madeAt when the type was defined, by `performance.now()`
   */
  termsThatKnow(madeAt = -Infinity): number {
    const {terms} = this;
    const now = performance.now();
    if (terms !== this.#lastTerm.terms) this.#lastTerm = {terms, noticedAt: now};
    return now - this.#lastTerm.noticedAt < settledAfterMillis || now - madeAt < leaseSeconds * 1000 ? NaN : terms;
  }

  get #allLogs(): string[] {
    return [...this.#logs, ...this.#running.map((running) => running?.process.logs() ?? '')];
  }

  async start(): Promise<void> {
    for (let index = 0; index < 2; index++) {
      this.#folders.push(tempFolder(this.#teardown));
      await this.#start(index);
    }
  }

  /** Ends one server, at once or in good order, and starts it again after a while. */
  async interrupt(index: number, crash: boolean, pauseMillis: number): Promise<void> {
    const running = this.#running[index];
    if (!running) return;
    this.#running[index] = undefined;
    this.kills += 1;
    this.#logs.push(running.process.logs());
    if (crash) await running.process.kill9();
    else await running.process.stop();
    running.client.close();
    await delay(pauseMillis);
    await this.#start(index);
  }

  /** Stops a server without its knowledge for longer than a lease lasts: it wakes up as a leader of before. */
  async pause(index: number): Promise<void> {
    const running = this.#running[index];
    if (!running) return;
    this.pauses += 1;
    this.#paused.add(index);
    process.kill(running.process.pid, 'SIGSTOP');
    await delay(pauseMillis);
    if (this.#paused.delete(index)) process.kill(running.process.pid, 'SIGCONT');
  }

  /** Sends a request to either server until one has answered for sure: whatever is refused for now, or lost, is sent again. */
  async send(method: string, path: string, body?: unknown): Promise<HttpsResponse> {
    const headers = method === 'PATCH' ? {'content-type': 'application/merge-patch+json'} : undefined;
    const deadline = performance.now() + patienceMillis;
    for (let turn = Math.floor(performance.now()); ; turn++) {
      const running = this.#paused.has(turn % 2) ? undefined : this.#running[turn % 2];
      try {
        const signal = AbortSignal.timeout(longestAnswerMillis);
        const answer = await running?.client.request(method, path, {
          signal,
          ...(body === undefined ? {} : {body}),
          ...(headers ? {headers} : {}),
        });
        if (answer && answer.status < 500 && answer.status !== 429) return answer;
        if (performance.now() > deadline) throw new Error(`${method} ${path}: ${answer?.text ?? 'no server'}`);
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
      this.repeated += 1;
      await delay(20);
    }
  }

  /** The sum of a gauge over its labels, on both servers. */
  async gauge(name: string): Promise<number> {
    let sum = 0;
    for (const running of this.#running) {
      const {text} = await running!.client.get('/metrics');
      for (const line of text.split('\n')) if (line.startsWith(`${name}{`)) sum += Number(line.slice(line.lastIndexOf(' ')));
    }
    return sum;
  }

  /** What a server holds after its garbage was collected, and which process it is. */
  async heap(index: number): Promise<HeapUsage & {readonly pid: number; readonly resident: number}> {
    const {process} = this.#running[index]!;
    return {...(await heapOf(process)), pid: process.pid, resident: residentMegabytes(process.pid).now};
  }

  /** Lines of the logs that tell of errors. */
  get errors(): string[] {
    return this.#allLogs.flatMap((log) =>
      log.split('\n').filter((line) => line.includes('"level":50') || line.includes('"level":"error"')),
    );
  }

  async stop(): Promise<void> {
    for (const index of this.#paused) process.kill(this.#running[index]!.process.pid, 'SIGCONT');
    this.#paused.clear();
    for (const [index, running] of this.#running.entries()) {
      this.#running[index] = undefined;
      running?.client.close();
      await running?.process.stop();
    }
  }

  #audit(index: number): string[] {
    const {auditFolder} = this.#options;
    if (auditFolder === undefined) return [];
    const policy = join(auditFolder, 'policy.yaml');
    writeFileSync(policy, auditPolicy);
    return [`--audit-policy-file=${policy}`, `--audit-log-path=${join(auditFolder, `server-${index}.log`)}`, '--audit-log-maxsize=2000'];
  }

  /** A machine that is busy with other things may not let a server start in time, nor Redis answer it. */
  async #start(index: number, attempts = 5): Promise<void> {
    let process: OrchProcess;
    try {
      process = await spawnOrch({
        store: this.#store,
        dataDir: this.#folders[index]!,
        startTimeoutMillis: 120_000,
        extra: [...this.#options.arguments, ...election, eventTtl, ...this.#audit(index)],
        env: inspectable,
      });
    } catch (error) {
      if (attempts === 1 || !/took longer than|was not ready in time|cannot be used now/.test((error as Error).message)) throw error;
      return this.#start(index, attempts - 1);
    }
    this.#running[index] = {process, client: httpsClient({teardown: () => undefined}, process)};
  }
}
