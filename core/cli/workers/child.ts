import {fork, type ChildProcess} from 'node:child_process';
import type {Socket} from 'node:net';
import {fileURLToPath} from 'node:url';
import type {FromChild, MetricsForm, StartStore, StartWorker, ToChild} from './messages.js';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of the server, as the supervisor sees it. */
export class Child<R extends FromChild['kind'] = FromChild['kind']> {
  /** Its message when it can be used; rejects if it ends before. */
  readonly ready: Promise<Extract<FromChild, {kind: R}>>;
  readonly exited: Promise<Exit>;
  /** Its connections, as far as is known here. */
  connections = 0;
  /** `leaving`: asked to end. */
  state: 'starting' | 'ready' | 'leaving' = 'starting';
  readonly startedAt = performance.now();
  /** Called when it asks for the metrics of the other workers. */
  onAskMetrics: ((id: number, form: MetricsForm) => void) | undefined;
  readonly #asked = new Map<number, (text: string | undefined) => void>();
  #nextId = 1;
  readonly #process: ChildProcess;

  constructor(
    start: StartWorker | StartStore,
    ready: R,
    /** From 1; 0 for the store process. */
    readonly number = 0,
  ) {
    this.#process = fork(fileURLToPath(new URL('child-main.js', import.meta.url)), [], {stdio: ['ignore', 'inherit', 'inherit', 'ipc']});
    this.exited = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => resolve({code, signal}));
      // It could not even be started.
      this.#process.once('error', () => resolve({code: 1, signal: null}));
    });
    const whenReady = Promise.withResolvers<Extract<FromChild, {kind: R}>>();
    this.ready = whenReady.promise;
    this.ready.catch(() => undefined);
    void this.exited.then((exit) => whenReady.reject(new Error(exitText(exit))));
    this.#process.on('message', (message: FromChild) => {
      if (message.kind === 'closed') this.connections -= message.count;
      else if (message.kind === 'ask-metrics') this.onAskMetrics?.(message.id, message.form);
      else if (message.kind === 'metrics') this.#asked.get(message.id)?.(message.text);
      else if (message.kind === ready) {
        if (this.state === 'starting') this.state = 'ready';
        whenReady.resolve(message as Extract<FromChild, {kind: R}>);
      }
    });
    this.send(start);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  send(message: ToChild): void {
    // Its end is noticed by `exited`.
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }

  /** Its metrics; undefined if it does not answer within `millis`. */
  metrics(form: MetricsForm, millis: number): Promise<string | undefined> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const done = (text: string | undefined) => {
        clearTimeout(timer);
        this.#asked.delete(id);
        resolve(text);
      };
      const timer = setTimeout(() => done(undefined), millis);
      this.#asked.set(id, done);
      this.send({kind: 'report-metrics', id, form});
    });
  }

  /** Hands a connection on. */
  give(socket: Socket): void {
    this.connections += 1;
    const message: ToChild = {kind: 'connection'};
    if (!this.#process.connected) return void socket.destroy();
    this.#process.send(message, socket, {keepOpen: false}, (error) => {
      if (error) socket.destroy();
    });
  }

  /** Asks it to end; after `millis` it is killed. */
  async end(how: 'retire' | 'stop', millis: number): Promise<void> {
    this.state = 'leaving';
    this.send({kind: how});
    const timer = setTimeout(() => this.kill(), millis);
    await this.exited;
    clearTimeout(timer);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }
}

export function exitText({code, signal}: Exit): string {
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}
