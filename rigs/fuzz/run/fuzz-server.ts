import {fork, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {residentMegabytes} from '../../bench/process-usage.js';
import {tempFolder} from '../../../test/helpers/temp-folder.js';
import type {FuzzRequest} from '../fuzz-request.js';
import type {ServerMessage, ServerOrder} from './server-main.js';
import {isTurnOf, type SlowTurn} from './slow-turns.js';

/** What a client needs to reach the server as its administrator. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** What a server holds after a garbage collection, and its resident memory, in megabytes. */
export interface Holding {
  readonly heap: number;
  readonly external: number;
  readonly resident: number;
}

/** What is fuzzed. */
export interface FuzzTarget {
  readonly release: string;
  /** Empties the store. Resolves to a Redis URL, `memory`, or undefined for the embedded store. */
  emptyStore(): Promise<string | undefined>;
}

const megabyte = 2 ** 20;
const startMillis = 60_000;

/** A server that is fuzzed: a process with a heap of 300 MB. */
export class FuzzServer {
  readonly address: ServerAddress;
  #errors: string[] = [];
  #slowTurns: SlowTurn[] = [];

  private constructor(
    readonly child: ChildProcess,
    url: string,
    dataDir: string,
    private readonly remove: () => void,
  ) {
    const [ca, cert, key] = ['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFileSync(join(dataDir, 'pki', name), 'utf8'));
    this.address = {host: '127.0.0.1', port: Number(new URL(url).port), ca: ca!, cert: cert!, key: key!};
    child.on('message', (message: ServerMessage) => {
      if (message.kind === 'logged') this.#errors.push(message.text ?? '');
      if (message.kind === 'slow') this.#slowTurns.push(message.turn!);
    });
  }

  static async start({release, emptyStore}: FuzzTarget): Promise<FuzzServer> {
    const store = await emptyStore();
    let remove: () => void = () => undefined;
    const dataDir = tempFolder({teardown: (cleanup) => void (remove = cleanup as () => void)}, 'orch-fuzz-');
    const child = fork(fileURLToPath(new URL('./server-main.js', import.meta.url)), {
      execArgv: ['--expose-gc', '--max-old-space-size=300', '--max-semi-space-size=16'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.send({kind: 'start', dataDir, release, ...(store === undefined ? {} : {store})} satisfies ServerOrder);
    const [message] = (await Promise.race([
      once(child, 'message', {signal: AbortSignal.timeout(startMillis)}),
      once(child, 'exit').then(() => [{kind: 'failed', text: 'the process ended'}]),
    ])) as [ServerMessage];
    if (message.kind !== 'ready') {
      child.kill('SIGKILL');
      remove();
      throw new Error(`the server to be fuzzed does not start: ${message.text ?? message.kind}`);
    }
    return new FuzzServer(child, message.url!, dataDir, remove);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** How it ended, in words. */
  get end(): string {
    return `the process ended: ${this.child.signalCode ?? `exit code ${this.child.exitCode}`}`;
  }

  /** Errors that were logged since the last time. */
  takeErrors(): string[] {
    const errors = this.#errors;
    this.#errors = [];
    return errors;
  }

  /** Turns of its event loop that took long: those of a request, or of none. @param request undefined for all */
  takeSlowTurns(request?: FuzzRequest): SlowTurn[] {
    const taken = this.#slowTurns.filter((turn) => !request || isTurnOf(turn, request));
    this.#slowTurns = this.#slowTurns.filter((turn) => !taken.includes(turn));
    return taken;
  }

  async holding(): Promise<Holding> {
    const answer = new Promise<ServerMessage>((resolve, reject) => {
      const onMessage = (message: ServerMessage) => {
        if (message.kind !== 'heap') return;
        this.child.off('message', onMessage).off('exit', onExit);
        resolve(message);
      };
      const onExit = () => reject(new Error(this.end));
      this.child.on('message', onMessage).once('exit', onExit);
    });
    this.child.send({kind: 'heap'} satisfies ServerOrder);
    const {heap = 0, external = 0} = await answer;
    return {heap: heap / megabyte, external: external / megabyte, resident: residentMegabytes(this.child.pid!).now};
  }

  async stop(): Promise<void> {
    if (!this.hasEnded) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
    this.remove();
  }
}
