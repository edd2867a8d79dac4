import {setTimeout as sleep} from 'node:timers/promises';
import {Random} from '../../../test/helpers/random.js';
import {readCorpus, type Recorded} from '../corpus-entry.js';
import type {FuzzRequest} from '../fuzz-request.js';
import {Mutator} from '../mutate/mutator.js';
import {faultOfOutcome} from '../oracle.js';
import {FuzzServer, type Holding, type FuzzTarget} from './fuzz-server.js';
import {issuedTokens} from '../../../test/helpers/fixed-issuer.js';
import {customDefinition} from '../large/custom-type.js';
import {LargeCases, type LargeCase} from '../large/large-cases.js';
import {excusedSlowness} from '../../../test/helpers/longest-turn.js';
import {beatMillis, UnrepeatedTurns, type SlowTurn} from './slow-turns.js';
import {LearnedWords} from './learned-words.js';
import {readBackFault, readBackOf, type ReadBack} from './read-back.js';
import {signatureOf} from './signature.js';
import {allObjects, sweep, type Lasting} from './sweep.js';
import {Wire, type Outcome} from './wire.js';

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly target: FuzzTarget;
  readonly connections: number;
  /** Of the requests, those that make a place of an object large, in percent. */
  readonly largePercent: number;
  readonly onProgress: (progress: Progress) => void;
  readonly onFault: (fault: Fault) => void;
}

export interface Progress {
  readonly requests: number;
  readonly perSecond: number;
  readonly faults: number;
  readonly holding: Holding | undefined;
}

/** Something that must not be, with the request that brought it about and those before it. */
export interface Fault {
  readonly signature: string;
  readonly fault: string;
  readonly errors: readonly string[];
  readonly request: FuzzRequest;
  readonly answer: string;
  /** What was sent before on the same connection, the latest last. */
  readonly before: readonly FuzzRequest[];
}

export interface FuzzResult {
  readonly requests: number;
  readonly seconds: number;
  readonly answers: ReadonlyMap<string, number>;
  readonly readBacks: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly holdings: readonly Holding[];
  readonly slowest: readonly {readonly millis: number; readonly request: string}[];
  /** What holds for the whole run and does not: growth. */
  readonly failures: readonly string[];
  /** Places of types that were made large, and slow turns that did not show again, in words. */
  readonly turns: string;
}

const sweepEvery = 10_000;
const batchSize = 6;
const remembered = 60;
const slowCount = 8;
const noticeMillis = 200;
/** A slow turn counts if it shows each of so many times: the machine has other work, and garbage is collected in between. */
const slowTimes = 3;
/** Memory that is held behind a sweep may be so much more than behind the first ones, in megabytes. */
const growthMegabytes = 60;

/** A turn that took long, and what was asked. */
interface SlowRequest {
  readonly turn: SlowTurn;
  readonly request: FuzzRequest;
  readonly outcome: Outcome;
}

/** One connection with its own choices, so that a seed means the same whatever the others do. */
interface Worker {
  readonly number: number;
  readonly random: Random;
  readonly wire: Wire;
  readonly learned: LearnedWords;
  readonly before: FuzzRequest[];
}

/** A fuzz of one server; a server that ends is a fault, and another takes its place. */
export class Fuzz {
  readonly #mutator: Mutator;
  readonly #corpus: readonly Recorded[];
  readonly #answers = new Map<string, number>();
  readonly #faults = new Map<string, number>();
  readonly #large: LargeCases;
  readonly #unrepeated = new UnrepeatedTurns();
  #largeCount = 0;
  #names = 0;
  readonly #holdings: Holding[] = [];
  #slowest: {millis: number; request: string}[] = [];
  #sent = 0;
  #readBacks = 0;
  #server!: FuzzServer;
  #workers: Worker[] = [];
  #lasting: Lasting = new Set();
  readonly #started = performance.now();

  constructor(readonly options: FuzzOptions) {
    const {release} = options.target;
    this.#corpus = [...readCorpus(release), ...reviewsOfTokens()];
    this.#mutator = new Mutator(this.#corpus);
    this.#large = new LargeCases(this.#corpus, release, new Random(options.seed));
  }

  async run(): Promise<FuzzResult> {
    const {requests} = this.options;
    await this.#startServer();
    try {
      while (this.#sent < requests) {
        const until = Math.min(requests, this.#sent + sweepEvery);
        await Promise.all(this.#workers.map((worker) => this.#work(worker, until)));
        if (this.#server.hasEnded) await this.#startServer();
        else await this.#settle();
      }
    } finally {
      for (const {wire} of this.#workers) wire.close();
      await this.#server.stop();
    }
    return this.#result();
  }

  async #startServer(): Promise<void> {
    const old = this.#server as FuzzServer | undefined;
    await old?.stop();
    this.#server = await FuzzServer.start(this.options.target);
    for (const {wire} of this.#workers) wire.close();
    this.#workers = Array.from({length: this.options.connections}, (_, number) => ({
      number,
      random: this.#workers[number]?.random ?? new Random(this.options.seed + number * 7919),
      wire: new Wire(this.#server.address),
      learned: new LearnedWords(),
      before: [],
    }));
    const {wire} = this.#workers[0]!;
    this.#lasting = new Set((await allObjects(wire)).keys());
    await this.#furnish();
    // What was recorded, as it was: the objects are there, and every kind of request has been seen to work.
    for (const {method, path, headers, body} of this.#corpus) {
      const request: FuzzRequest = {method, path, headers: Object.entries(headers), body, manner: 'whole'};
      await this.#judge(this.#workers[0]!, request, await this.#alone(wire, request));
    }
  }

  async #furnish(): Promise<void> {
    const names = ['shop', 'programs', 'kinds', ...this.#workers.map(homeOf)];
    for (const name of names)
      await this.#workers[0]!.wire.send([
        {method: 'POST', path: '/api/v1/namespaces', headers: [], body: Buffer.from(`{"metadata":{"name":"${name}"}}`), manner: 'whole'},
      ]);
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await this.#workers[0]!.wire.send([
      {method: 'POST', path, headers: [], body: Buffer.from(JSON.stringify(customDefinition)), manner: 'whole'},
    ]);
  }

  async #work(worker: Worker, until: number): Promise<void> {
    let due: ReadBack | undefined;
    while (this.#sent < until && !this.#server.hasEnded) {
      if (worker.random.chance(this.options.largePercent / 100)) {
        await this.#makeLarge(worker);
        due = undefined;
        continue;
      }
      const batch: FuzzRequest[] = due ? [due.request] : [];
      for (let count = 1 + worker.random.below(batchSize); count > 0; count--) {
        const request = this.#mutator.next(worker.random, worker.learned, homeOf(worker));
        this.#sent++;
        // What may last, and what ends the connection, goes alone.
        if (isAlone(request)) {
          if (batch.length > 0) due = await this.#exchange(worker, batch.splice(0), due);
          due = await this.#exchange(worker, [request], due);
        } else batch.push(request);
      }
      if (batch.length > 0) due = await this.#exchange(worker, batch, due);
    }
  }

  /** Sends a batch and looks at the answers. `due` is a read that may stand at its head. Answers the next one that is due. */
  async #exchange(worker: Worker, batch: readonly FuzzRequest[], due: ReadBack | undefined): Promise<ReadBack | undefined> {
    const outcomes = await worker.wire.send(batch);
    let next: ReadBack | undefined;
    for (const [index, request] of batch.entries()) {
      const outcome = outcomes[index];
      if (!outcome) continue;
      if (due?.request === request) await this.#checkReadBack(worker, due, outcome);
      await this.#judge(worker, request, outcome);
      // The last write of a batch: behind it nothing of this connection has changed the object.
      const candidate = readBackOf(request, outcome);
      if (candidate) next = candidate;
      else if (request.method !== 'GET') next = undefined;
    }
    return next;
  }

  async #judge(worker: Worker, request: FuzzRequest, outcome: Outcome): Promise<void> {
    this.#count(request, outcome);
    const {response} = outcome;
    if (response && worker.random.chance(0.1)) worker.learned.take(response.body);
    // That the process has ended is known a little later than that it does not answer.
    if (outcome.failure !== undefined) await sleep(noticeMillis);
    // A server that is gone answers nobody, and one of them is to blame: the first to see it.
    const fault = this.#server.hasEnded ? this.#server.end : faultOfOutcome(request, outcome);
    const errors = this.#server.takeErrors();
    if (fault !== undefined || errors.length > 0)
      this.#fault(worker, request, outcome, fault ?? `logged ${errors[0]!.split('\n')[0]}`, errors);
    worker.before.push(request);
    if (worker.before.length > remembered) worker.before.shift();
  }

  /** One place is made large, which may take no turn longer than it may. */
  async #makeLarge(worker: Worker): Promise<void> {
    const large = this.#large.next(homeOf(worker));
    this.#largeCount++;
    let slow = await this.#largeTurns(worker, large);
    for (let time = 1; time < slowTimes && slow.size > 0; time++) {
      const again = await this.#largeTurns(worker, large);
      for (const [place, {turn}] of slow) if (!again.has(place)) this.#unrepeated.add([turn]);
      slow = new Map([...again].filter(([place]) => slow.has(place)));
    }
    if (slow.size === 0) return;
    const machine = await excusedSlowness();
    for (const {turn, request, outcome} of slow.values()) {
      if (!this.#unrepeated.isMachines(turn, machine)) this.#faultOfTurn(worker, {turn, request, outcome}, large);
    }
  }

  #faultOfTurn(worker: Worker, {turn, request, outcome}: SlowRequest, large: LargeCase): void {
    this.#fault(worker, request, outcome, `a turn of ${turn.cpuMilliseconds} ms of ${turn.method ?? 'no request'}, ${large.name}`, []);
  }

  /** Slow turns by the place of the request among those of the case. */
  async #largeTurns(worker: Worker, large: LargeCase): Promise<Map<number, SlowRequest>> {
    const slow = new Map<number, SlowRequest>();
    for (const [place, request] of large.requests(`large-${++this.#names}`).entries()) {
      if (this.#server.hasEnded) break;
      this.#sent++;
      const outcome = await this.#alone(worker.wire, request);
      await this.#judge(worker, request, outcome);
      await sleep(beatMillis);
      for (const turn of this.#server.takeSlowTurns(request)) slow.set(place, {turn, request, outcome});
    }
    return slow;
  }

  async #checkReadBack(worker: Worker, due: ReadBack, outcome: Outcome): Promise<void> {
    this.#readBacks++;
    const fault = readBackFault(due, outcome);
    if (fault === undefined) return;
    // Others may have removed it meanwhile. The same write again, and the read at once: twice the same fault is one.
    const write = worker.before.at(-1);
    if (!write) return;
    const again = await this.#alone(worker.wire, write);
    const dueAgain = readBackOf(write, again);
    if (!dueAgain) return;
    const faultAgain = readBackFault(dueAgain, await this.#alone(worker.wire, dueAgain.request));
    if (faultAgain !== undefined) this.#fault(worker, write, again, faultAgain, []);
  }

  async #alone(wire: Wire, request: FuzzRequest): Promise<Outcome> {
    const [outcome] = await wire.send([request]);
    return outcome ?? {failure: 'cut', millis: 0};
  }

  #fault(worker: Worker, request: FuzzRequest, {response, failure}: Outcome, fault: string, errors: readonly string[]): void {
    const signature = signatureOf(`${fault} ${errors[0]?.split('\n').slice(0, 2).join(' ') ?? ''}`);
    const known = this.#faults.get(signature) ?? 0;
    this.#faults.set(signature, known + 1);
    if (known > 0) return;
    const answer = response ? `${response.head}\n\n${response.body.toString('latin1', 0, 1000)}` : (failure ?? 'none');
    this.options.onFault({signature, fault, errors, request, answer, before: [...worker.before]});
  }

  #count({method, path}: FuzzRequest, {response, endless, failure, millis}: Outcome): void {
    const key = failure ?? (endless ? `${response!.status} endless` : String(response?.status));
    this.#answers.set(key, (this.#answers.get(key) ?? 0) + 1);
    if (endless || millis < (this.#slowest.at(-1)?.millis ?? 0)) return;
    this.#slowest = [...this.#slowest, {millis, request: `${method} ${path.slice(0, 200)}`}]
      .sort((a, b) => b.millis - a.millis)
      .slice(0, slowCount);
  }

  /** Between two stretches: everything is removed, what the server holds is measured, and it is seen to be well. */
  async #settle(): Promise<void> {
    const {wire} = this.#workers[0]!;
    this.#unrepeated.add(this.#server.takeSlowTurns());
    await sweep(wire, this.#lasting);
    const health: FuzzRequest = {method: 'GET', path: '/livez', headers: [], body: undefined, manner: 'whole'};
    const outcome = await this.#alone(wire, health);
    if (outcome.response?.status !== 200)
      this.#fault(this.#workers[0]!, health, outcome, `/livez answers ${outcome.response?.status ?? outcome.failure}`, []);
    await this.#furnish();
    const holding = await this.#server.holding();
    this.#holdings.push(holding);
    const perSecond = this.#sent / ((performance.now() - this.#started) / 1000);
    this.options.onProgress({requests: this.#sent, perSecond, faults: this.#faults.size, holding});
  }

  #result(): FuzzResult {
    const failures: string[] = [];
    const [, , third] = this.#holdings;
    const last = this.#holdings.at(-1);
    // Behind the first sweeps caches are still filling.
    if (third && last && last.heap + last.external > third.heap + third.external + growthMegabytes)
      failures.push(`grown from ${(third.heap + third.external).toFixed(0)} to ${(last.heap + last.external).toFixed(0)} MB`);
    return {
      requests: this.#sent,
      seconds: (performance.now() - this.#started) / 1000,
      answers: this.#answers,
      readBacks: this.#readBacks,
      faults: this.#faults,
      holdings: this.#holdings,
      slowest: this.#slowest,
      failures,
      turns: `${this.#largeCount} of ${this.#large.count} places made large; ${this.#unrepeated.text}`,
    };
  }
}

/** An issuer's tokens are made anew, so they are not in the recording. */
function reviewsOfTokens(): Recorded[] {
  return issuedTokens().map((token) => ({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    headers: {'content-type': 'application/json'},
    body: Buffer.from(JSON.stringify({apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: {token, audiences: ['orch']}})),
  }));
}

function homeOf({number}: Pick<Worker, 'number'>): string {
  return `fuzz-${number}`;
}

/** Whether a request may be answered without end, or ends its connection. */
function isAlone({path, manner, headers}: FuzzRequest): boolean {
  return (
    manner === 'cut' ||
    manner === 'raw' ||
    /watch|proxy|exec|attach|portforward|follow|log/i.test(path) ||
    headers.some(([name]) => name === 'upgrade' || name === 'expect' || name === 'connection')
  );
}
