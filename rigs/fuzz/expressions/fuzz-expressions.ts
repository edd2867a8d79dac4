import {ExpressionError} from '../../../sdk/index.js';
import {compileExpression, type CompiledExpression} from '../../../core/api/cel/compile-expression.js';
import {ExpressionEnvironment} from '../../../core/api/cel/expression-environment.js';
import {celFeaturesOf} from '../../../core/api/cel/features.js';
import {metered, type Outcome} from '../../../core/api/cel/metered.js';
import {untypedValue} from '../../../core/api/cel/schemas/schema-values.js';
import {dynType, intType, listOf, stringType} from '../../../core/api/cel/types/cel-type.js';
import {newestRelease} from '../../../core/api/lifetimes/releases.js';
import {Random} from '../../../test/helpers/random.js';
import {isWithin} from '../../../test/helpers/longest-turn.js';
import {makeExpression, type Dice} from './expression-maker.js';

/** Kubernetes' limit on the steps of one evaluation. */
const limit = 1_000_000;
/** Processor time that 10,000 steps, and that an evaluation or the compilation of an expression may take. */
const allowed = {millisPerTenThousand: 1, evaluationMillis: 50};
/** Milliseconds that nobody notices, before the engine knows an expression. */
const unnoticed = 0.05;

export interface Finding {
  readonly what: 'dearer than charged' | 'long turn' | 'internal error';
  readonly detail: string;
  readonly expression: string;
  readonly size: number;
}

export interface FuzzResult {
  readonly compiled: number;
  readonly refused: number;
  readonly exceeded: number;
  readonly failed: number;
  readonly longestMillis: number;
  readonly findings: readonly Finding[];
}

const environment = new ExpressionEnvironment(
  celFeaturesOf(newestRelease, 'stored'),
  new Map([
    ['text', stringType],
    ['other', stringType],
    ['short', stringType],
    ['texts', listOf(stringType)],
    ['ints', listOf(intType)],
    ['any', dynType],
  ]),
);

const parts = ['abcdefgh', 'a', 'aA', 'a😀b', 'é', ' ', '1', 'a=1&', '../', 'https://h/', '0.'];
/** Most expressions see small values: what they do with large ones ends at the limit sooner or later. */
const sizes = [0, 1, 3, 10, 10, 30, 30, 100, 100, 100, 300, 300, 1_000, 1_000, 3_000, 10_000, 30_000, 500_000];

/** Values as hostile as an object of a request can be. */
function makeValues(size: number, dice: Dice) {
  const long = (length: number) => {
    const part = parts[dice.below(parts.length)]!;
    return part.repeat(Math.ceil(length / part.length)).slice(0, length);
  };
  const item = long(Math.min(20, size));
  const count = Math.min(size, 100_000);
  const list = Array.from({length: Math.min(count, 20_000)}, (_, index) =>
    index % 3 === 0 ? {a: index, b: [item]} : index % 3 === 1 ? index : item,
  );
  return {
    text: long(size),
    other: long(Math.floor(size / 2)) + (dice.below(2) === 0 ? 'b' : ''),
    short: long(Math.min(size, 8)),
    texts: Array.from({length: count}, (_, index) => (dice.below(2) === 0 ? item : `${index}`)),
    ints: Array.from({length: count}, (_, index) => BigInt(index)),
    any: {a: 1, b: {c: item}, list},
  };
}

export async function fuzzExpressions(count: number, seed: number, progress: (done: number) => void = () => {}): Promise<FuzzResult> {
  const dice = new Random(seed);
  const findings: Finding[] = [];
  const result = {compiled: 0, refused: 0, exceeded: 0, failed: 0, longestMillis: 0};
  let size = 0;
  let values = makeValues(0, dice);
  for (let number = 0; number < count; number += 1) {
    if (number % 50 === 0) {
      size = sizes[dice.below(sizes.length)]!;
      values = makeValues(size, dice);
    }
    if (number % 5_000 === 0) progress(number);
    const expression = makeExpression(dice);
    const found = (what: Finding['what'], detail: string) => findings.push({what, detail, expression, size});
    let compiled: CompiledExpression;
    try {
      compiled = compileExpression(environment, expression);
    } catch (error) {
      result.refused += 1;
      if (!ExpressionError.is(error)) found('internal error', String(error));
      continue;
    }
    result.compiled += 1;
    const run = () => {
      // Untyped values are made anew, as they are for each request.
      const context = {...values, any: untypedValueOnUse(values.any)};
      const before = performance.now();
      const outcome: Outcome<unknown> = metered(limit, () => compiled.evaluate(context));
      return {outcome, took: performance.now() - before};
    };
    const first = run();
    const {outcome} = first;
    let {took} = first;
    if (outcome.exceeded) result.exceeded += 1;
    else if (outcome.error !== undefined) result.failed += 1;
    const internal = outcome.exceeded ? undefined : internalError(outcome.error);
    if (internal) found('internal error', internal);
    const steps = Math.min(limit, outcome.spent);
    const fair = (steps / 10_000) * allowed.millisPerTenThousand;
    const isFair = () => took <= fair + unnoticed && took <= allowed.evaluationMillis;
    // What is new to the engine is slow the first times.
    for (let attempt = 0; attempt < 4 && !isFair(); attempt += 1) took = Math.min(took, run().took);
    if (isFair()) {
      result.longestMillis = Math.max(result.longestMillis, took);
      continue;
    }
    // Others use the machine, memory is collected, and what is new to the engine is slow: what counts is processor time, the shortest of some.
    const millis = shortest(run, fair);
    result.longestMillis = Math.max(result.longestMillis, millis);
    if (!(await isWithin(millis, allowed.evaluationMillis))) found('long turn', `${millis.toFixed(1)} ms, ${steps.toFixed(0)} steps`);
    else if (!(await isWithin(millis, fair + unnoticed)))
      found('dearer than charged', `${millis.toFixed(3)} ms, ${steps.toFixed(0)} steps`);
  }
  return {...result, findings};
}

/** Processor time of one run, in milliseconds: of many together, because the clock may be as coarse as some milliseconds. */
function shortest(run: () => unknown, fair: number): number {
  const together = (times: number) => {
    const before = threadMillis();
    for (let time = 0; time < times; time += 1) run();
    return (threadMillis() - before) / times;
  };
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 8; attempt += 1) {
    let times = 1;
    let millis = together(times);
    while (millis * times < 16 && times < 20_000) millis = together((times *= 4));
    best = Math.min(best, millis);
    if (best <= fair + unnoticed && best <= allowed.evaluationMillis) break;
  }
  return best;
}

/** Made inside of the evaluation, where it is charged. */
function untypedValueOnUse(value: Parameters<typeof untypedValue>[0]): unknown {
  return untypedValue(value);
}

/** Errors of evaluation are plain ones; others are faults of code. */
function internalError(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const {name, message} = error as Error;
  return name === 'Error' || name.startsWith('Regexp') ? undefined : `${name}: ${message.slice(0, 200)}`;
}

function threadMillis(): number {
  const {user, system} = process.threadCpuUsage();
  return (user + system) / 1000;
}
