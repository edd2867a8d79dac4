import type {ExecutionContext} from 'ava';
import {longestTurn, slowness} from '../../../helpers/longest-turn.js';
import {Random} from '../../../helpers/random.js';

/** Some work that a client's input asks for, of any size. */
export interface Work {
  /** What the input is made of. */
  readonly name: string;
  /** Bytes of the largest input of its kind; the largest body when missing. */
  readonly largest?: number;
  /** Makes the input, which is not measured, and answers the work on it, whose outcome is printed. */
  readonly prepare: (bytes: number, random: Random) => () => unknown;
}

/** What some work cost at full size. */
export interface Cost {
  readonly name: string;
  /** Longest turn of the event loop, in milliseconds of processor. */
  readonly millis: number;
  /** How many times longer than with half of the input: 2 when the work grows as the input does. */
  readonly growth: number;
  /** What it may take, by the speed that the machine had at the time. */
  readonly limit: number;
  readonly outcome: string;
}

export const largestBody = 3 * 1024 * 1024;

/** Part of the largest size that tests use: growth shows with less than the whole. */
const testedShare = Number(process.env.ORCH_WORK_SHARE ?? 0.25);

/** Milliseconds of processor that a tested input may keep the event loop of a machine of the usual speed, beside what reading as much JSON costs. */
const allowedMillis = 100;
const allowedReadings = 12;
/** Attempts that are compared with the machine's speed at the beginning; further ones with what it is by then, since it may have other work. */
const usualAttempts = 3;
const mostAttempts = 7;

/**
 * Checks that none of the work keeps the event loop for long, nor grows faster than its input, and prints what each costs.
 * Compared is with the time that the platform's own reader needs for as much JSON in this very process, so that a slow machine fails no test.
 */
export async function checkWork(t: ExecutionContext, works: readonly Work[]): Promise<void> {
  const seed = Number(process.env.ORCH_TEST_SEED ?? 20_261_121);
  t.log(`seed ${seed}, ${testedShare} of the largest input; milliseconds of processor, growth from half of it`);
  const usualLimit = await limitNow(seed);
  const faults: string[] = [];
  for (const work of works) {
    const cost = await measure(work, seed, usualLimit);
    const {limit} = cost;
    t.log(`${cost.millis.toFixed(0).padStart(5)} ms  x${cost.growth.toFixed(1)}  ${work.name}: ${cost.outcome.slice(0, 100)}`);
    if (cost.millis > limit) faults.push(`${work.name} takes ${cost.millis.toFixed(0)} ms, more than ${limit.toFixed(0)}`);
    if (cost.growth > 3.3 && cost.millis > limit / 4)
      faults.push(`${work.name} takes ${cost.growth.toFixed(1)} times as long for twice the input`);
    if (cost.outcome.length > 2000) faults.push(`${work.name} says too much: ${cost.outcome.length} characters`);
  }
  t.deepEqual(faults, []);
}

async function measure(work: Work, seed: number, usualLimit: number): Promise<Cost> {
  const bytes = (work.largest ?? largestBody) * testedShare;
  await runOnce(work, bytes / 16, seed);
  let best: Cost | undefined;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const limit = attempt < usualAttempts ? usualLimit : await limitNow(seed);
    const half = await runOnce(work, bytes / 2, seed);
    const whole = await runOnce(work, bytes, seed);
    const growth = whole.millis / Math.max(half.millis, 0.1);
    const cost = {name: work.name, millis: whole.millis, growth, limit, outcome: whole.outcome};
    if (best === undefined || cost.millis / limit < best.millis / best.limit) best = cost;
    if (best.millis < best.limit / 4 || (best.millis < best.limit && best.growth < 3)) break;
  }
  return best!;
}

async function runOnce(work: Work, bytes: number, seed: number): Promise<{readonly millis: number; readonly outcome: string}> {
  const run = work.prepare(Math.floor(bytes), new Random(seed));
  const {result, longestMillis} = await longestTurn(async () => {
    try {
      return String(await run());
    } catch (error) {
      return String(error);
    }
  });
  return {millis: longestMillis, outcome: result};
}

async function limitNow(seed: number): Promise<number> {
  return testedShare * allowedReadings * (await readingMillis(seed)) + allowedMillis * (await slowness());
}

/** Milliseconds that reading the largest body takes, when it is plain. */
async function readingMillis(seed: number): Promise<number> {
  const plain: Work = {
    name: 'reading plain JSON',
    prepare: (bytes) => {
      const text = `[${'{"a":"b"},'.repeat(bytes / 10)}0]`;
      return () => (JSON.parse(text) as unknown[]).length;
    },
  };
  const readings = [];
  for (let attempt = 0; attempt < 3; attempt++) readings.push((await runOnce(plain, largestBody, seed)).millis);
  return Math.min(...readings);
}

/** A list of that many bytes of JSON of the same value. */
export function listOf(bytes: number, value: unknown): unknown[] {
  const text = JSON.stringify(value);
  return Array.from({length: Math.max(1, Math.floor(bytes / (text.length + 1)))}, () => JSON.parse(text) as unknown);
}

/** A list of values that are made of their place. */
export function listBy(bytes: number, each: number, make: (index: number) => unknown): unknown[] {
  return Array.from({length: Math.max(1, Math.floor(bytes / each))}, (_, index) => make(index));
}

/** An object of about that many bytes of JSON: members that are made of their place. */
export function membersBy(bytes: number, each: number, make: (index: number) => readonly [string, unknown]): Record<string, unknown> {
  return Object.fromEntries(Array.from({length: Math.max(1, Math.floor(bytes / each))}, (_, index) => make(index)));
}

/** The text again and again, to that many bytes. */
export function repeated(bytes: number, text: string): string {
  return text.repeat(Math.max(1, Math.floor(bytes / text.length)));
}
