import type {Action, Answer, Operation} from './history.js';

/** The value of an object; null when there is none, undefined when nothing is known of it. */
type State = string | null | undefined;

export type Verdict =
  | {readonly kind: 'linearizable'}
  /** No order explains the answer of this operation. */
  | {readonly kind: 'violation'; readonly key: string; readonly operation: Operation; readonly possible: readonly State[]}
  /** There was not enough time or memory to tell. */
  | {readonly kind: 'undecided'; readonly key: string};

export interface LinearizabilityOptions {
  /** What the objects are before the history; null, none, by default. Undefined: nothing is known of them. */
  readonly initial?: State;
  /** For each object; 10,000 by default. */
  readonly millis?: number;
  /** How many explanations of one object are kept at a time; 100,000 by default. */
  readonly explanations?: number;
}

/** An explanation of what has been answered so far: the value, and which operations without an answer have already taken effect. */
interface Explanation {
  readonly state: State;
  readonly done: ReadonlySet<number>;
}

/**
 * Whether all operations can have taken effect one after the other, each at a moment between its call and its answer. Objects are
 * independent, so each is judged by itself.
 *
 * The search is that of Wing and Gong with the memory of Lowe, as in Porcupine, but goes forward in time: it keeps all different explanations
 * of the answers so far, and lets pending operations take effect only when the next answer needs that. Its memory depends
 * on how many operations overlap, and not on the length of the history.
 *
 * @returns the verdict of the first object that is not linearizable, else of the first that is undecided
 */
export function checkLinearizable(operations: readonly Operation[], options: LinearizabilityOptions = {}): Verdict {
  const byKey = Map.groupBy(operations, ({key}) => key);
  let undecided: Verdict | undefined;
  for (const [key, own] of byKey) {
    const verdict = checkObject(key, own, options);
    if (verdict.kind === 'violation') return verdict;
    if (verdict.kind === 'undecided') undecided ??= verdict;
  }
  return undecided ?? {kind: 'linearizable'};
}

function checkObject(key: string, operations: readonly Operation[], options: LinearizabilityOptions): Verdict {
  const {millis = 10_000, explanations: most = 100_000} = options;
  const deadline = performance.now() + millis;
  const events = operations
    .flatMap((operation, index) => [
      {at: operation.called, index, isCall: true},
      ...(operation.returned === Infinity ? [] : [{at: operation.returned, index, isCall: false}]),
    ])
    // What happens at the same time overlaps.
    .sort((one, other) => one.at - other.at || Number(other.isCall) - Number(one.isCall));
  const seen = new Set(operations.flatMap(({action, answer}) => observed(action, answer)));
  const renumbered = valuesOfSeveralVersions(operations);
  const pending = new Set<number>();
  let found: Map<string, Explanation> = new Map();
  const initial: Explanation = {state: 'initial' in options ? options.initial : null, done: new Set()};
  found.set(nameOf(initial), initial);

  for (const {index, isCall} of events) {
    const operation = operations[index]!;
    if (isCall) {
      // A write without an answer whose value nobody ever saw, in a history where objects are read at the end, changes
      // nothing that could be told.
      if (operation.returned !== Infinity || operation.action.kind === 'delete' || seen.has(valueOf(operation.action))) pending.add(index);
      continue;
    }
    const next = new Map<string, Explanation>();
    const visited = new Set<string>();
    const open = [...found.values()];
    while (open.length > 0) {
      if (performance.now() > deadline || visited.size > most) return {kind: 'undecided', key};
      const explanation = open.pop()!;
      if (explanation.done.has(index)) {
        keep(next, {state: explanation.state, done: without(explanation.done, index)});
        continue;
      }
      const name = nameOf(explanation);
      if (visited.has(name)) continue;
      visited.add(name);
      for (const candidate of pending) {
        if (explanation.done.has(candidate)) continue;
        const {action, answer} = operations[candidate]!;
        const state = step(explanation.state, action, answer, renumbered);
        if (state === false) continue;
        open.push({state: state.after, done: new Set(explanation.done).add(candidate)});
      }
    }
    pending.delete(index);
    if (next.size === 0) {
      return {kind: 'violation', key, operation, possible: [...new Set([...found.values()].map(({state}) => state))]};
    }
    found = forgetHopeless(next, pending, operations);
  }
  return {kind: 'linearizable'};
}

/**
 * Values that were there at more than one version. The restore of a backup gives each object a new one, and whoever wants to replace the old one
 * finds a conflict although the value is the same.
 */
function valuesOfSeveralVersions(operations: readonly Operation[]): ReadonlySet<string> {
  const versions = new Map<string, number>();
  const several = new Set<string>();
  const see = (value: string, version: number | undefined) => {
    if (version === undefined) return;
    if ((versions.get(value) ?? version) !== version) several.add(value);
    versions.set(value, version);
  };
  for (const {action, answer} of operations) {
    if (answer.kind === 'ok') see(answer.value ?? valueOf(action), answer.version);
    if ('expected' in action) see(action.expected, action.at);
  }
  return several;
}

/** What a value becomes by an action that was answered so; false when it cannot have been answered so. */
function step(state: State, action: Action, answer: Answer, renumbered: ReadonlySet<string>): {readonly after: State} | false {
  const unknown = state === undefined;
  switch (action.kind) {
    case 'get':
      if (answer.kind === 'ok') return unknown || state === answer.value ? {after: answer.value!} : false;
      return answer.kind === 'missing' && (unknown || state === null) ? {after: null} : false;
    case 'create':
      if (answer.kind === 'exists') return unknown || state !== null ? {after: state} : false;
      return unknown || state === null ? {after: action.value} : false;
    case 'update':
    case 'delete': {
      if (answer.kind === 'missing') return unknown || state === null ? {after: null} : false;
      if (answer.kind === 'conflict') {
        return unknown || (state !== null && (state !== action.expected || renumbered.has(state))) ? {after: state} : false;
      }
      if (!unknown && state !== action.expected) return false;
      return {after: action.kind === 'delete' ? null : action.value};
    }
  }
}

/**
 * Deletions without an answer, of a value that is in no explanation any more and that nobody who is still under way can write: they cannot take
 * effect any more, so that those which differ only in them are the same.
 */
function forgetHopeless(found: Map<string, Explanation>, pending: Set<number>, operations: readonly Operation[]): Map<string, Explanation> {
  const states = new Set([...found.values()].map(({state}) => state));
  if (states.has(undefined)) return found;
  for (const {action} of [...pending].map((index) => operations[index]!)) if ('value' in action) states.add(action.value);
  const hopeless = [...pending].filter((index) => {
    const {action, returned} = operations[index]!;
    return returned === Infinity && 'expected' in action && !states.has(action.expected);
  });
  if (hopeless.length === 0) return found;
  for (const index of hopeless) pending.delete(index);
  const left = new Map<string, Explanation>();
  for (const {state, done} of found.values()) keep(left, {state, done: new Set([...done].filter((index) => pending.has(index)))});
  return left;
}

/** Values that the answer, or the wish to replace them, shows to have been there. */
function observed(action: Action, answer: Answer): string[] {
  return [
    ...('expected' in action ? [action.expected] : []),
    ...(answer.kind === 'ok' && answer.value !== undefined ? [answer.value] : []),
  ];
}

function valueOf(action: Action): string {
  return 'value' in action ? action.value : '';
}

function keep(into: Map<string, Explanation>, explanation: Explanation): void {
  into.set(nameOf(explanation), explanation);
}

function nameOf({state, done}: Explanation): string {
  return JSON.stringify([state === undefined ? 0 : [state], [...done].sort((one, other) => one - other)]);
}

function without(done: ReadonlySet<number>, index: number): Set<number> {
  const left = new Set(done);
  left.delete(index);
  return left;
}
