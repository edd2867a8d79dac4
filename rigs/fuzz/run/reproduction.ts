import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fromText, toText, type FuzzRequest, type FuzzRequestText} from '../fuzz-request.js';
import {faultOfOutcome} from '../oracle.js';
import {readCorpus} from '../corpus-entry.js';
import type {Fault} from './fuzz.js';
import {FuzzServer, type FuzzTarget} from './fuzz-server.js';
import {readBackFault, readBackOf} from './read-back.js';
import {beatMillis} from './slow-turns.js';
import {shrink} from './shrink.js';
import {Wire} from './wire.js';

/** What is needed to see a fault again. */
export interface Reproduction {
  readonly fault: string;
  readonly errors: readonly string[];
  readonly answer: string;
  /** Whether sending it to a fresh server showed the fault again. */
  readonly reproduced: boolean;
  /** What was sent before it, when it does not show alone. */
  readonly before: readonly FuzzRequest[];
  readonly request: FuzzRequest;
}

interface ReproductionText extends Omit<Reproduction, 'before' | 'request'> {
  readonly before: readonly FuzzRequestText[];
  readonly request: FuzzRequestText;
}

export function writeReproduction(folder: string, name: string, {before, request, ...rest}: Reproduction): string {
  mkdirSync(folder, {recursive: true});
  const file = join(folder, `${name}.json`);
  const text: ReproductionText = {...rest, request: toText(request), before: before.map(toText)};
  writeFileSync(file, `${JSON.stringify(text, undefined, 2)}\n`);
  return file;
}

export function readReproduction(file: string): Reproduction {
  const {before, request, ...rest} = JSON.parse(readFileSync(file, 'utf8')) as ReproductionText;
  return {...rest, request: fromText(request), before: before.map(fromText)};
}

/** A fresh server on which requests are tried one after the other; after a fault another one takes its place. */
export class Trial {
  #server: FuzzServer | undefined;
  #wire: Wire | undefined;

  constructor(private readonly target: FuzzTarget) {}

  /** Sends requests and answers what is wrong with the outcome of the last; undefined when nothing is. */
  async faultOf(before: readonly FuzzRequest[], request: FuzzRequest): Promise<{fault: string; errors: readonly string[]} | undefined> {
    await this.#ready();
    const server = this.#server!;
    const wire = this.#wire!;
    for (const earlier of before) await wire.send([earlier]);
    server.takeErrors();
    server.takeSlowTurns();
    const [outcome] = await wire.send([request]);
    const back = outcome && readBackOf(request, outcome);
    const [read] = back ? await wire.send([back.request]) : [];
    await sleep(beatMillis);
    const [turn] = server.takeSlowTurns(request);
    const errors = server.takeErrors();
    const fault = server.hasEnded
      ? server.end
      : ((outcome ? faultOfOutcome(request, outcome) : 'cut') ??
        (back && read ? readBackFault(back, read) : undefined) ??
        (turn ? `a turn of ${turn.cpuMilliseconds} ms` : undefined) ??
        (errors.length > 0 ? `logged ${errors[0]!.split('\n')[0]}` : undefined));
    if (fault === undefined) return undefined;
    // It may have left the server in any state.
    await this.end();
    return {fault, errors};
  }

  async end(): Promise<void> {
    this.#wire?.close();
    await this.#server?.stop();
    this.#server = undefined;
  }

  async #ready(): Promise<void> {
    if (this.#server && !this.#server.hasEnded) return;
    await this.end();
    this.#server = await FuzzServer.start(this.target);
    this.#wire = new Wire(this.#server.address);
    for (const name of ['shop', 'programs', 'kinds', ...Array.from({length: 16}, (_, number) => `fuzz-${number}`)])
      await this.#wire.send([
        {method: 'POST', path: '/api/v1/namespaces', headers: [], body: Buffer.from(`{"metadata":{"name":"${name}"}}`), manner: 'whole'},
      ]);
    for (const {method, path, headers, body} of readCorpus(this.target.release))
      if (!/watch|follow/.test(path)) await this.#wire.send([{method, path, headers: Object.entries(headers), body, manner: 'whole'}]);
  }
}

/** Sees a fault again on a fresh server, and leaves out all that is not needed for that. */
export async function reproduce(found: Fault, target: FuzzTarget): Promise<Reproduction> {
  const trial = new Trial(target);
  const {fault, errors, answer, request} = found;
  try {
    for (const before of [[], found.before]) {
      const seen = await trial.faultOf(before, request);
      if (!seen) continue;
      const smaller = await shrink(
        {before, request},
        async (attempt) => (await trial.faultOf(attempt.before, attempt.request)) !== undefined,
      );
      return {fault: seen.fault, errors: seen.errors, answer, reproduced: true, ...smaller};
    }
    return {fault, errors, answer, reproduced: false, before: found.before, request};
  } finally {
    await trial.end();
  }
}
