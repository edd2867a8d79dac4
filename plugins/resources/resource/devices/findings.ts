import {
  ExpressionError,
  tooMany,
  duplicate,
  invalid,
  type Expression,
  type ExpressionScope,
  type FieldError,
  type FieldPath,
  type Scheduler,
} from '../../../../sdk/index.js';

/** An expression that has still to be compiled. */
export interface Selector {
  readonly expression: string;
  readonly path: FieldPath;
}

/** What a rule finds: an error, or an expression that may be one. */
export type Finding = FieldError | Selector;

/**
 * The errors among findings, in their order, with those of the expressions. There may be very many: others get their turn in between.
 *
 * @param openScope asked for the first expression: most servers never have one
 * @param check errors in an expression that compiles
 */
export async function faultsOfFindings(
  findings: readonly Finding[],
  scheduler: Scheduler,
  openScope: () => Promise<ExpressionScope>,
  check: (compiled: Expression, path: FieldPath) => readonly FieldError[],
): Promise<FieldError[]> {
  if (!findings.some(isSelector)) return findings as FieldError[];
  const scope = await openScope();
  const task = scheduler.task('request', 'validation of device selectors');
  const faults: FieldError[] = [];
  for (const finding of findings) {
    if (!isSelector(finding)) {
      faults.push(finding);
      continue;
    }
    faults.push(...selectorFaults(finding, scope, check));
    const waiting = task.yieldIfDue();
    if (waiting) await waiting;
  }
  return faults;
}

function isSelector(finding: Finding): finding is Selector {
  return 'expression' in finding;
}

function selectorFaults(
  {expression, path}: Selector,
  scope: ExpressionScope,
  check: (compiled: Expression, path: FieldPath) => readonly FieldError[],
): readonly FieldError[] {
  try {
    return check(scope.compile(expression, 'any'), path);
  } catch (error) {
    if (ExpressionError.is(error)) return [invalid(path, expression, error.message)];
    throw error;
  }
}

/** Errors of a list and of its items; of its length alone if it is too long. */
export function validateList<T, F>(
  items: readonly T[] | undefined | null,
  maximum: number,
  path: FieldPath,
  check: (item: T, path: FieldPath) => readonly F[],
): (F | FieldError)[] {
  const list = items ?? [];
  if (list.length > maximum) return [tooMany(path, list.length, maximum)];
  return list.flatMap((item, index) => check(item, path.index(index)));
}

/** Like `validateList`, for items that must differ in their key. @param keyOf what errors show */
export function validateSet<T, F>(
  items: readonly T[] | undefined | null,
  maximum: number,
  path: FieldPath,
  check: (item: T, path: FieldPath) => readonly F[],
  keyOf: (item: T) => unknown,
): (F | FieldError)[] {
  const faults = validateList(items, maximum, path, check);
  if ((items ?? []).length > maximum) return faults;
  const seen = new Set<string>();
  for (const [index, item] of (items ?? []).entries()) {
    const key = keyOf(item);
    const text = JSON.stringify(key);
    if (seen.has(text)) faults.push(duplicate(path.index(index), key));
    seen.add(text);
  }
  return faults;
}

/** Errors of the names and values of a map; of the number of entries alone if they are too many. Long names are cut in the paths. */
export function validateEntries<T>(
  entries: Readonly<Record<string, T>> | undefined | null,
  maximum: number,
  longestName: number,
  path: FieldPath,
  checkName: (name: string, path: FieldPath) => readonly FieldError[],
  check: (value: T, path: FieldPath) => readonly FieldError[],
): FieldError[] {
  const all = Object.entries(entries ?? {});
  if (all.length > maximum) return [tooMany(path, all.length, maximum)];
  return all.flatMap(([name, value]) => [...checkName(name, path), ...check(value, path.key(cut(name, longestName)))]);
}

function cut(name: string, longest: number): string {
  if (name.length <= longest) return name;
  const left = longest - 3;
  return `${name.slice(0, Math.floor((left + 1) / 2))}...${name.slice(name.length - Math.floor(left / 2))}`;
}
