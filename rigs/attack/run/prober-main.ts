// The client that measures, in a process of its own: one of `system:masters` that reads an object at a steady pace, whether or not the answers
// come, and asks for `/livez` over a new connection again and again.
import {setTimeout as sleep} from 'node:timers/promises';
import {percentile} from '../../bench/percentile.js';
import {Connection} from '../client/connection.js';
import {requestText} from '../client/request-text.js';
import {Tally} from '../client/tally.js';
import type {Besieged} from '../client/users.js';
import {waitedMillis} from './scheduling.js';

export type ProberOrder =
  | {readonly kind: 'begin'; readonly server: Besieged; readonly pid: number; readonly path: string}
  | {readonly kind: 'end'};

/** What the probe has seen; times in milliseconds. */
export interface Probed {
  readonly reads: number;
  /** As a user sees them, but without the time for which the server or the probe waited for a processor. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** The 99th percentile with those times. */
  readonly rawP99: number;
  readonly livez: number;
  readonly livezLongest: number;
  /** What went wrong, in words; a few. */
  readonly failures: readonly string[];
}

export interface ProberReply {
  readonly error?: string;
  readonly probed?: Probed;
}

const everyMillis = 20;
const livezEveryMillis = 250;
/** So many reads can wait at once; further ones are left out, since those tell of the stall already. */
const connectionCount = 24;
/** Longer than any attack and what comes after it: what is not answered by then never will be. */
const giveUpMillis = 15_000;
const own = '127.0.0.1';

class Probe {
  readonly #raw: number[] = [];
  readonly #fair: number[] = [];
  readonly #livez: number[] = [];
  readonly #failures: string[] = [];
  readonly #waiting = new Set<Promise<void>>();
  /** When the reads began that have no answer yet. */
  readonly #unanswered = new Set<number>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #get: Buffer;

  constructor(
    readonly server: Besieged,
    readonly pid: number,
    readonly idle: Connection[],
    path: string,
  ) {
    this.#get = requestText('GET', path);
    this.#timers.push(
      setInterval(() => this.#track(this.#read()), everyMillis),
      setInterval(() => this.#track(this.#live()), livezEveryMillis),
    );
  }

  async end(): Promise<Probed> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.race([Promise.all(this.#waiting), sleep(giveUpMillis, undefined, {ref: false})]);
    if (this.#waiting.size > 0) this.#fail(`${this.#waiting.size} requests had no answer within ${giveUpMillis / 1000} s`);
    for (const from of this.#unanswered) {
      this.#raw.push(performance.now() - from);
      this.#fair.push(performance.now() - from);
    }
    for (const connection of this.idle) connection.close();
    return {
      reads: this.#fair.length,
      p50: percentile(Float64Array.from(this.#fair), 0.5),
      p99: percentile(Float64Array.from(this.#fair), 0.99),
      longest: Math.max(0, ...this.#fair),
      rawP99: percentile(Float64Array.from(this.#raw), 0.99),
      livez: this.#livez.length,
      livezLongest: Math.max(0, ...this.#livez),
      failures: this.#failures,
    };
  }

  #track(work: Promise<void>): void {
    this.#waiting.add(work);
    void work.finally(() => this.#waiting.delete(work));
  }

  #fail(what: string): void {
    if (this.#failures.length < 3) this.#failures.push(what);
  }

  #waited(): number {
    return waitedMillis(this.pid) + waitedMillis(process.pid);
  }

  async #read(): Promise<void> {
    const connection = this.idle.shift();
    if (!connection) return;
    const from = performance.now();
    const waited = this.#waited();
    this.#unanswered.add(from);
    try {
      const {status} = await connection.ask(this.#get);
      const raw = performance.now() - from;
      this.#raw.push(raw);
      this.#fair.push(Math.max(0, raw - (this.#waited() - waited)));
      if (status !== 200) this.#fail(`the read was answered ${status}`);
      this.idle.push(connection);
    } catch (error) {
      this.#fail(`read: ${(error as Error).message}`);
    } finally {
      this.#unanswered.delete(from);
    }
  }

  async #live(): Promise<void> {
    const from = performance.now();
    const waited = this.#waited();
    const connection = await Connection.open(this.server, new Tally(), {from: own, connectMillis: giveUpMillis});
    try {
      if (!connection) throw new Error('no connection');
      const {status, body} = await connection.ask(requestText('GET', '/livez'));
      if (status !== 200) throw new Error(`${status} ${body.toString().slice(0, 100)}`);
      this.#livez.push(Math.max(0, performance.now() - from - (this.#waited() - waited)));
    } catch (error) {
      this.#fail(`/livez: ${(error as Error).message}`);
    } finally {
      connection?.close();
    }
  }
}

let probe: Probe | undefined;

async function obey(order: ProberOrder): Promise<ProberReply> {
  if (order.kind === 'end') return {probed: await probe!.end()};
  const {server, pid, path} = order;
  const connections = await Promise.all(
    Array.from({length: connectionCount}, () => Connection.open(server, new Tally(), {user: 'masters', from: own})),
  );
  const open = connections.filter((connection) => connection !== undefined);
  if (open.length < connectionCount) throw new Error('the probe was refused a connection before the attack');
  const first = await open[0]!.ask(requestText('GET', path));
  if (first.status !== 200) throw new Error(`the object to probe: ${first.status}`);
  probe = new Probe(server, pid, open, path);
  return {};
}

process.on('message', (order: ProberOrder) => {
  obey(order).then(
    (reply) => process.send!(reply),
    (error: unknown) => process.send!({error: error instanceof Error ? error.message : String(error)} satisfies ProberReply),
  );
});
process.on('disconnect', () => process.exit());
