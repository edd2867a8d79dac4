import {meter} from '../cost-meter.js';
import {isBinding, type Comprehension, type Node} from '../syntax/ast.js';
import {Fault} from '../values/fault.js';
import type {Frame, Step, StepMaker} from './step.js';

/** To begin a loop, and for each time round. */
const stepsToBegin = 3;
const stepsPerRound = 2;

/** Plans what a macro became. */
export function planLoop(node: Comprehension, planner: StepMaker): Step {
  if (isBinding(node)) return planBinding(node, planner);
  const range = planner.plan(node.range);
  const initial = planner.plan(node.initial);
  const {variable, secondVariable, accumulator} = node;
  return planner.within(accumulator, (accumulated) =>
    planner.within(variable, (first) => {
      const inner = (second: number | undefined): Round => {
        const goesOn = isAlways(node.condition) ? undefined : planner.plan(node.condition);
        return {accumulated, first, second, goesOn, step: planRound(node, planner, accumulated)};
      };
      const round = secondVariable === undefined ? inner(undefined) : planner.within(secondVariable, inner);
      return planned(node, range, initial, round, planner);
    }),
  );
}

/** What is done with each item, and where its variables are. */
interface Round {
  readonly accumulated: number;
  readonly first: number;
  readonly second: number | undefined;
  readonly goesOn: Step | undefined;
  readonly step: Step;
}

function planned(node: Comprehension, range: Step, initial: Step, round: Round, planner: StepMaker): Step {
  const {accumulated, first, second, goesOn, step} = round;
  const result = planner.plan(node.result);
  const makesList = second !== undefined && node.initial.op === 'list';
  const notIterable = (over: unknown) =>
    new Fault(makesList ? `unsupported comprehension range type: ${goName(over)}` : `got '${goName(over)}', expected iterable type`);
  return (frame) => {
    meter.spend(stepsToBegin);
    const over = range(frame);
    if (over instanceof Fault) return over;
    const {locals} = frame;
    locals[accumulated] = initial(frame);
    const go = (key: unknown, value: unknown): boolean => {
      meter.spend(stepsPerRound);
      locals[first] = key;
      if (second !== undefined) locals[second] = value;
      if (goesOn && goesOn(frame) !== true) return false;
      locals[accumulated] = step(frame);
      return true;
    };
    if (Array.isArray(over)) {
      for (let at = 0; at < over.length; at += 1) if (!(second === undefined ? go(over[at], undefined) : go(BigInt(at), over[at]))) break;
    } else if (over instanceof Map) {
      meter.spend(over.size);
      for (const key of (over as Map<unknown, unknown>).keys())
        if (!go(key, second === undefined ? undefined : (over as Map<unknown, unknown>).get(key))) break;
    } else return notIterable(over);
    return result(frame);
  };
}

const goNames: Readonly<Record<string, string>> = {
  string: 'types.String',
  bigint: 'types.Int',
  number: 'types.Double',
  boolean: 'types.Bool',
};

/** A type as the Go of cel-go names it. */
function goName(value: unknown): string {
  return value === null ? 'types.Null' : (goNames[typeof value] ?? 'types.Unknown');
}

function isAlways(node: Node): boolean {
  return node.op === 'literal' && node.value === true;
}

/** A value under a name, which is made when it is first needed. */
function planBinding({accumulator, initial, result}: Comprehension, planner: StepMaker): Step {
  const value = planner.plan(initial);
  return planner.within(accumulator, (place) => {
    const inner = planner.plan(result);
    return (frame: Frame) => {
      meter.spend(stepsToBegin);
      frame.locals[place] = value(frame);
      return inner(frame);
    };
  });
}

/** One round. Where it adds to a list that nobody else has, the list itself grows. */
function planRound(node: Comprehension, planner: StepMaker, accumulated: number): Step {
  const {step, accumulator, initial} = node;
  const isOwnList = initial.op === 'list' && initial.items.length === 0;
  if (!isOwnList) return planner.plan(step);
  const filter = step.op === 'call' && step.name === '_?_:_' ? step.args[0] : undefined;
  const sum = filter ? (step as Node & {op: 'call'}).args[1]! : step;
  if (sum.op !== 'call' || sum.name !== '_+_' || !isAccumulator(sum.args[0]!, accumulator)) return planner.plan(step);
  const added = sum.args[1]!;
  if (added.op !== 'list' || added.items.length !== 1 || added.optional.size > 0) return planner.plan(step);
  const item = planner.plan(added.items[0]!);
  const holds = filter && planner.plan(filter);
  return (frame) => {
    const list = frame.locals[accumulated];
    if (holds) {
      meter.spend(2);
      const found = holds(frame);
      if (found === false) return list;
      if (found !== true) return found instanceof Fault ? found : new Fault('no such overload');
    }
    meter.spend(3);
    if (!Array.isArray(list)) return list;
    const value = item(frame);
    if (value instanceof Fault) return value;
    list.push(value);
    return list;
  };
}

function isAccumulator(node: Node, name: string): boolean {
  return node.op === 'ident' && node.name === name;
}
