import type {Charge} from '../charges.js';
import {meter} from '../cost-meter.js';
import type {Overload} from '../libraries/overload.js';
import type {CelType} from '../types/cel-type.js';
import {Fault, noSuchOverload} from '../values/fault.js';
import {valueType} from '../values/value-type.js';
import type {Step} from './step.js';

/** Kinds of values that say themselves that they know no such function. */
const receivers: ReadonlySet<string> = new Set(['string', 'duration', 'timestamp']);

export function unknownTo(name: string, value: unknown): Fault {
  return receivers.has(valueType(value).kind) ? noSuchOverload() : new Fault(`no such overload: ${name}`);
}

type Callable = (...args: readonly unknown[]) => unknown;

/** Evaluates the arguments and charges what the call costs. */
export function calling(steps: readonly Step[], charge: Charge, call: Callable): Step {
  const [first, second] = steps;
  switch (steps.length) {
    case 1:
      return (frame) => {
        const a = first!(frame);
        if (a instanceof Fault) return a;
        meter.spend(3 + charge(a, undefined, undefined));
        return call(a);
      };
    case 2:
      return (frame) => {
        const a = first!(frame);
        const b = second!(frame);
        if (a instanceof Fault) return a;
        if (b instanceof Fault) return b;
        meter.spend(4 + charge(a, b, undefined));
        return call(a, b);
      };
    default:
      return (frame) => {
        const args: unknown[] = [];
        for (const step of steps) {
          const value = step(frame);
          if (value instanceof Fault) return value;
          args.push(value);
        }
        meter.spend(3 + steps.length + charge(args[0], args[1], args[2]));
        return call(...args);
      };
  }
}

/** Kinds of values in whose place the type check accepts null. */
const nullable: ReadonlySet<string> = new Set(['opaque', 'struct', 'duration', 'timestamp']);

/** The form is known since the types were checked. */
export function direct(name: string, {call, args}: Overload, steps: readonly Step[], charge: Charge): Step {
  const known = call as unknown as Callable;
  if (!args.some(({kind}) => nullable.has(kind))) return calling(steps, charge, known);
  return calling(steps, charge, (...values) =>
    values.some((value, at) => value === null && nullable.has(args[at]!.kind)) ? unfitting(name, values) : known(...values),
  );
}

function unfitting(name: string, values: readonly unknown[]): Fault {
  return new Fault(`no such overload: ${name}(${values.map((value) => valueType(value).name).join(', ')})`);
}

/** One function for all forms: it sees to the types itself, but for the first. */
export function singleton(
  name: string,
  kinds: ReadonlySet<string>,
  possible: readonly Overload[],
  steps: readonly Step[],
  charge: Charge,
): Step {
  const call = possible[0]!.call as unknown as Callable;
  return calling(steps, charge, (...args) => {
    return kinds.has(valueType(args[0]).kind) ? call(...args) : unknownTo(name, args[0]);
  });
}

/** Whether a value can stand for a type. Of lists and maps what comes first is looked at. */
function fits(value: unknown, type: CelType, given = valueType(value)): boolean {
  if (type.kind === 'param' || type.kind === 'dyn' || type === given) return true;
  if (type.kind !== given.kind || type.name !== given.name) return false;
  const [first] = type.parameters;
  return !first || !Array.isArray(value) || value.length === 0 || fits((value as unknown[])[0], first);
}

/** Finds the form that goes with the values. */
export function dispatched(name: string, possible: readonly Overload[], steps: readonly Step[], charge: Charge, isPrepared: boolean): Step {
  return calling(steps, charge, (...args) => {
    const types = args.map(valueType);
    const fitting = possible.find(({args: expected}) =>
      expected.every((type, at) => {
        const given = types[at]!;
        return fits(args[at], type, given);
      }),
    );
    if (!fitting) return isPrepared ? noSuchOverload() : unfitting(name, args);
    return (fitting.call as unknown as Callable)(...args);
  });
}
