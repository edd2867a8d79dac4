import {cp} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {until} from './eventually.js';
import {tempFolder} from './temp-folder.js';

/** Somebody else leads soon after a leader was lost. */
export const shortElection = {leaseDuration: '1s', renewDeadline: '800ms', retryPeriod: '100ms'} as const;

/**
 * How long one server leads at first, on a machine that starts a server in the time below; on a slower one so much longer. Each of the next terms
 * is twice as long as the one before, then it begins anew: what takes longer than a short term gets done in a long one.
 */
const termMillis = 800;
const differentTerms = 4;
const usualStartMillis = 500;
/** How long somebody else may take to lead before the next loss comes anyway. */
const handOverMillis = 20_000;

interface Lease {
  readonly metadata: {readonly name: string};
  readonly spec?: {readonly holderIdentity?: string};
}

/**
 * A second server on the store of a test's server, with the same settings. Again and again whichever leads loses that: the second server loses its store
 * from one moment to the next, as if it had been killed, and another takes its place; the test's own server, which has to answer it, loses its leases.
 */
export class RivalServer {
  /** How often a leader was lost. */
  losses = 0;
  #current: TestServer | undefined;
  #advanced = 0;
  /** How much slower than usual the machine is. */
  #slowness = 1;
  readonly #own: TestServer;
  readonly #options: ServerOptions;
  readonly #leases: string;
  readonly #cleanups: (() => unknown)[] = [];
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  /** @param own started with `options`, with `shortElection` among them */
  constructor(own: TestServer, options: ServerOptions) {
    this.#own = own;
    this.#options = options;
    const [group, namespace] =
      options.platform === 'kubernetes' ? ['coordination.k8s.io', 'kube-system'] : ['coordination.orch', 'orch-system'];
    this.#leases = `/apis/${group}/v1/namespaces/${namespace}/leases`;
  }

  async start(): Promise<void> {
    await until('the first server leads', async () => (await this.#holders()).size > 0);
    const [identity] = (await this.#holders()).values();
    await this.#startOne();
    this.#loop = this.#run(identity!);
  }

  /** Puts the clock forward, as that of the other server. */
  async advance(millis: number): Promise<void> {
    this.#advanced += millis;
    await this.#current?.advance(millis);
  }

  /** @throws Error if nobody has lost anything: then the tests have shown nothing more than with one server */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#current?.stop();
    for (const cleanup of this.#cleanups.toReversed()) await cleanup();
    if (this.losses === 0) throw new Error('no leader was lost while the tests ran');
  }

  async #run(identity: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const holders = await this.#holders();
      const isOwn = [...holders.values()].every((holder) => holder === identity);
      const lostHolders = new Set(isOwn ? [] : holders.values());
      lostHolders.delete(identity);
      if (isOwn) {
        for (const name of holders.keys()) await this.#own.client.patch(`${this.#leases}/${name}`, {spec: {holderIdentity: ''}});
      } else {
        const lost = this.#current!;
        lost.faults.storeAway();
        await this.#startOne();
        this.#cleanups.push(() => lost.stop());
      }
      if (holders.size > 0) this.losses += 1;
      await this.#succession(lostHolders);
      const term = termMillis * this.#slowness * 2 ** (this.losses % differentTerms);
      await sleep(term, undefined, {signal: this.#stopping.signal}).catch(() => undefined);
    }
  }

  /** Waits until the leases that somebody lost are somebody else's. */
  async #succession(lost: ReadonlySet<string>): Promise<void> {
    const deadline = performance.now() + handOverMillis;
    while (!this.#stopping.signal.aborted && performance.now() < deadline) {
      const holders = [...(await this.#holders()).values()];
      if (holders.length > 0 && !holders.some((holder) => lost.has(holder))) return;
      await sleep(20);
    }
  }

  /** Who holds which lease. */
  async #holders(): Promise<Map<string, string>> {
    const {items = []} = (await this.#own.client.get(this.#leases)).json<{items?: Lease[]}>();
    return new Map(items.filter(({spec}) => spec?.holderIdentity).map(({metadata, spec}) => [metadata.name, spec!.holderIdentity!]));
  }

  /** It has the keys of the other, as servers of one store have to. */
  async #startOne(): Promise<void> {
    const dataDir = tempFolder({teardown: (cleanup) => this.#cleanups.push(cleanup)});
    await cp(join(this.#own.dataDir, 'pki'), join(dataDir, 'pki'), {recursive: true});
    const began = performance.now();
    const started = await startTestServer({...this.#options, dataDir});
    this.#slowness = Math.max(1, (performance.now() - began) / usualStartMillis);
    if (this.#advanced > 0) await started.advance(this.#advanced);
    this.#current = started;
  }
}
