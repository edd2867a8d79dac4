import {compileExpression} from '../../../core/api/cel/compile-expression.js';
import {ExpressionEnvironment} from '../../../core/api/cel/expression-environment.js';
import {celFeaturesOf} from '../../../core/api/cel/features.js';
import {metered} from '../../../core/api/cel/metered.js';
import {dynType, intType, listOf, stringType, type CelType} from '../../../core/api/cel/types/cel-type.js';
import {newestRelease} from '../../../core/api/lifetimes/releases.js';
import {plainValues, type CostCase, type Values} from './cost-cases.js';

/** Kubernetes' limit on the steps of one evaluation. */
const limit = 1_000_000;
const variables: Readonly<Record<keyof Values, CelType>> = {
  text: stringType,
  other: stringType,
  texts: listOf(stringType),
  ints: listOf(intType),
  any: dynType,
};

/** What an expression costs with values of a size. */
export interface CostFigures {
  readonly size: number;
  /** Charged for one evaluation; the limit if it ended there. */
  readonly steps: number;
  /** Processor time of an evaluation, the longest of three, after some to warm up. */
  readonly longestMillis: number;
  /** Processor time for 10,000 steps, the shortest of three. */
  readonly millisPerTenThousand: number;
  /** What an evaluation should never throw. */
  readonly internalError: string | undefined;
}

const environment = new ExpressionEnvironment(
  celFeaturesOf(newestRelease, 'stored'),
  new Map([...Object.entries(variables), ['again', listOf(intType)]]),
);

/** Evaluates an expression a hundred times at a time, so that what an evaluation costs besides does not count. */
export function measureCost({expression, values}: CostCase, size: number, millis = 6): CostFigures {
  const again = Array.from({length: 100}, () => 0n);
  const context = Object.defineProperties(plainValues(size), Object.getOwnPropertyDescriptors({...values?.(size), again}));
  const compiled = compileExpression(environment, `again.all(again_, ${expression})`);
  let steps = 0;
  let internalError: string | undefined;
  const once = (times: number): number => {
    const begun = threadMillis();
    for (let time = 0; time < times; time += 1) {
      const outcome = metered(limit, () => compiled.evaluate(context as unknown as Readonly<Record<string, unknown>>));
      steps = outcome.exceeded ? limit : outcome.spent;
      if (!outcome.exceeded) internalError ??= internal(outcome.error);
    }
    return threadMillis() - begun;
  };
  // What is new to the engine is slow the first times.
  for (let warm = 0, used = 0; used < millis && warm < 200; warm += 1) used += once(1);
  // The clock may be as coarse as some milliseconds: evaluations that take less are timed many at a time.
  let together = 1;
  while (together < 4096 && once(together) < millis) together *= 4;
  const rounds = [once(together), once(together), once(together)];
  const longestMillis = Math.max(...rounds) / together;
  const mean = Math.min(...rounds) / together;
  return {size, steps, longestMillis, millisPerTenThousand: (mean / steps) * 10_000, internalError};
}

/** Errors of evaluation are plain ones; others are faults of code. */
function internal(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const {name, code, message} = error as Error & {code?: unknown};
  return (name === 'Error' && code === undefined) || name.startsWith('Regexp') ? undefined : `${name}: ${message}`;
}

/** The functions that an expression may call; none of the macros' own. */
export function functionNames(): ReadonlySet<string> {
  const functions = [...environment.declarations.functions.values()].filter(({overloads}) =>
    overloads.some(({call}) => call !== undefined),
  );
  return new Set(functions.map(({name}) => name).filter((name) => /^[a-z.0-9]+$/i.test(name)));
}

export function threadMillis(): number {
  const {user, system} = process.threadCpuUsage();
  return (user + system) / 1000;
}
