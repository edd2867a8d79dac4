import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {httpsClient, type HttpsClient} from '../../../test/helpers/https-client.js';
import {readKubeconfig} from '../../../test/helpers/kubeconfig.js';
import type {ServerOrder} from './server-main.js';

const program = fileURLToPath(new URL('server-main.js', import.meta.url));
const patienceMillis = 120_000;
const startAttempts = 10;

/** A server process that can be killed, paused, started again on the same data directory, and whose clock can be set. */
export class VerifyServer {
  readonly #order: ServerOrder;
  readonly #fakeTime: string | undefined;
  readonly #clock: string;
  #child: ChildProcess | undefined;
  #client: HttpsClient | undefined;
  #printed = '';

  /** @param fakeTime path of libfaketime, where the machine has it */
  constructor(
    readonly name: string,
    order: ServerOrder,
    fakeTime?: string,
  ) {
    this.#order = order;
    this.#fakeTime = fakeTime;
    this.#clock = join(order.dataDir, '..', `${name}.clock`);
  }

  /** Undefined while the server is away. */
  get client(): HttpsClient | undefined {
    return this.#client;
  }

  get dataDir(): string {
    return this.#order.dataDir;
  }

  /** All that the processes printed. */
  get printed(): string {
    return this.#printed;
  }

  /** Starts it, and again when it gives up because its store is not there, as whoever runs servers does. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#start();
      } catch (error) {
        await this.end();
        if (attempt === startAttempts) throw error;
      }
    }
  }

  async #start(): Promise<void> {
    const env = {...process.env};
    if (this.#fakeTime !== undefined) {
      this.setClock(0);
      Object.assign(env, {
        LD_PRELOAD: this.#fakeTime,
        FAKETIME_TIMESTAMP_FILE: this.#clock,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        FAKETIME_CACHE_DURATION: '1',
      });
    }
    const child = spawn(process.execPath, [program, JSON.stringify(this.#order)], {stdio: ['ignore', 'pipe', 'pipe'], env});
    this.#child = child;
    const ready = new Promise<RegExpExecArray>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`server ${this.name} ${why}\n${this.#printed.slice(-4000)}`));
      const timer = setTimeout(() => fail('was not ready in time'), patienceMillis);
      let printed = '';
      const take = (data: Buffer) => {
        printed += String(data);
        this.#printed += String(data);
        const match = /^ready (https:\/\/\S+) kubeconfig=(.+)$/m.exec(printed);
        if (match) {
          clearTimeout(timer);
          resolve(match);
        }
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        fail(`ended (${signal ?? code})`);
      });
    });
    const match = await ready;
    const credentials = {...readKubeconfig(match[2]!.trim()), url: match[1]!};
    this.#client = httpsClient({teardown: () => undefined}, credentials);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends the process and waits until it is gone. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    const client = this.#client;
    this.#client = undefined;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'close');
      child.kill(signal);
      await gone;
    }
    client?.close();
  }

  /** How far its clock is from that of the machine, in seconds. */
  setClock(seconds: number): void {
    writeFileSync(this.#clock, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`);
  }

  get hasClock(): boolean {
    return this.#fakeTime !== undefined;
  }
}
