import {chargeOf} from '../charges.js';
import {meter} from '../cost-meter.js';
import {isIn} from '../libraries/lists.js';
import {add, divide, multiply, negate, remainder, subtract} from '../libraries/arithmetic.js';
import {compare} from '../libraries/comparison.js';
import type {Declarations} from '../libraries/declarations.js';
import type {Call, ListNode, MapNode, Node, Select, StructNode} from '../syntax/ast.js';
import {Entries} from '../values/entries.js';
import {equal} from '../values/equality.js';
import {Fault, noSuchOverload} from '../values/fault.js';
import {LateValue} from '../values/late-value.js';
import {OptionalValue} from '../values/optional.js';
import {valueType} from '../values/value-type.js';
import {shownValue} from '../libraries/format-text.js';
import {direct, dispatched, singleton, unknownTo} from './calls.js';
import {planLoop} from './loops.js';
import {select, index, optionalOf} from './selection.js';
import type {Step, StepMaker} from './step.js';

/** How types that an expression can construct are made, by name. */
export type Construct = (name: string, fields: readonly (readonly [name: string, value: unknown])[]) => unknown;

export interface PlanScope {
  readonly declarations: Declarations;
  readonly construct?: Construct;
}

/** Makes a checked expression one that can be evaluated. Every operation is charged to the meter before it begins. */
export function plan(root: Node, scope: PlanScope): Step {
  return new Planner(scope).plan(root);
}

class Planner implements StepMaker {
  readonly #scope: PlanScope;
  /** The places of variables of macros, the inner ones last. */
  readonly #locals: string[] = [];

  constructor(scope: PlanScope) {
    this.#scope = scope;
  }

  plan(node: Node): Step {
    switch (node.op) {
      case 'literal': {
        const {value} = node;
        return () => value;
      }
      case 'ident':
        return this.#ident(node.name);
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return this.#struct(node);
      case 'comprehension':
        return planLoop(node, this);
      default:
        throw new Error('an expression with issues cannot be evaluated');
    }
  }

  /** Plans a part in which a variable of a macro is known. @returns its place, and the part */
  within<T>(name: string, part: (place: number) => T): T {
    this.#locals.push(name);
    const made = part(this.#locals.length - 1);
    this.#locals.pop();
    return made;
  }

  #ident(name: string): Step {
    const place = this.#locals.lastIndexOf(name);
    if (place >= 0) return ({locals}) => locals[place];
    const type = this.#scope.declarations.types.get(name);
    const own = name.replace(/^\./, '');
    return ({variables}) => {
      const given = variables[own];
      const value = given instanceof LateValue ? given.value : given;
      if (value !== undefined) return value;
      return type ? type.parameters[0] : new Fault(`no such attribute(s): ${own}`);
    };
  }

  #select(node: Select): Step {
    if (node.qualified !== undefined) return this.#ident(node.qualified);
    const operand = this.plan(node.operand);
    const {field, isTest} = node;
    if (isTest)
      return (frame) => {
        meter.spend(2);
        const value = operand(frame);
        if (value instanceof Fault) return value;
        const found = select(value, field, true);
        return found instanceof Fault ? found : found !== undefined;
      };
    return (frame) => {
      meter.spend(2);
      const value = operand(frame);
      if (value instanceof Fault) return value;
      if (value instanceof OptionalValue) return optionalOf(value, (inner) => select(inner, field, true));
      return select(value, field, false);
    };
  }

  #call(node: Call): Step {
    const args = [...(node.target ? [node.target] : []), ...node.args];
    const [first, second, third] = args.map((arg) => this.plan(arg)) as [Step, Step, Step];
    switch (node.name) {
      case '_&&_':
        return either(first, second, false);
      case '_||_':
        return either(first, second, true);
      case '_?_:_':
        return (frame) => {
          meter.spend(2);
          const condition = first(frame);
          if (condition === true) return second(frame);
          if (condition === false) return third(frame);
          return condition instanceof Fault ? condition : noSuchOverload();
        };
      case '@not_strictly_false':
        return (frame) => first(frame) !== false;
      case '_?._':
        return (frame) => selected(first(frame), second(frame));
      case '_[?_]':
        return this.#operator(node, first, second, (value, key) => optionalOf(OptionalValue.of(value), (inner) => index(inner, key, true)));
      case 'or':
      case 'orValue':
        if (node.overloads?.some((id) => id.startsWith('.or'))) return orElse(first, second, node.name === 'or');
        break;
      default:
    }
    const operator = Object.hasOwn(operators, node.name) ? operators[node.name]! : undefined;
    if (operator) return args.length === 1 ? this.#unary(node, first, operator) : this.#operator(node, first, second, operator);
    return this.#function(node, args);
  }

  #unary({name}: Call, operand: Step, operation: Operation): Step {
    const charge = chargeOf(name);
    const {kinds} = this.#scope.declarations.functions.get(name)!;
    return (frame) => {
      const value = operand(frame);
      if (value instanceof Fault) return value;
      meter.spend(2 + charge(value, undefined, undefined));
      return !kinds || kinds.has(valueType(value).kind) ? operation(value, undefined) : unknownTo(name, value);
    };
  }

  #operator({name}: Call, left: Step, right: Step, operation: Operation): Step {
    const charge = chargeOf(name);
    const kinds = this.#scope.declarations.functions.get(name)?.kinds;
    return (frame) => {
      const a = left(frame);
      const b = right(frame);
      if (a instanceof Fault) return a;
      if (b instanceof Fault) return b;
      meter.spend(3 + charge(a, b, undefined));
      const result = operation(a, b);
      return result === noSuchOverload() && kinds && !kinds.has(valueType(a).kind) ? unknownTo(name, a) : result;
    };
  }

  #function(node: Call, args: readonly Node[]): Step {
    const {name} = node;
    const {overloads, kinds, isUnguarded} = this.#scope.declarations.functions.get(name)!;
    const steps = args.map((arg) => this.plan(arg));
    const charge = chargeOf(name);
    const possible = overloads.filter(
      ({call, args: expected, isMethod}) =>
        call !== undefined && expected.length === args.length && isMethod === (node.target !== undefined),
    );
    const resolved = node.overloads?.length === 1 ? possible.find(({id}) => id === node.overloads![0]) : undefined;
    // A pattern that is written out has been prepared: what is matched is looked at then only.
    const isPrepared = (name === 'matches' || name === 'find' || name === 'findAll') && args[1]?.op === 'literal';
    if (kinds && !isPrepared) return singleton(name, kinds, possible, steps, charge);
    // Types that are known when an expression is checked are those of the values.
    const isKnown = args.every(({type}) => type!.kind !== 'dyn' && type!.kind !== 'param' && type!.kind !== 'error');
    if (resolved && (isKnown || isUnguarded)) return direct(name, resolved, steps, charge);
    return dispatched(name, resolved ? [resolved] : possible, steps, charge, isPrepared);
  }

  #list({items, optional}: ListNode): Step {
    const steps = items.map((item) => this.plan(item));
    const cost = 2 + items.length;
    return (frame) => {
      meter.spend(cost);
      const made: unknown[] = [];
      for (let at = 0; at < steps.length; at += 1) {
        const value = steps[at]!(frame);
        if (value instanceof Fault) return value;
        if (!optional.has(at)) made.push(value);
        else if (!(value instanceof OptionalValue))
          return new Fault(`cannot initialize optional list element from non-optional value ${shownValue(value)}`);
        else if (value.hasValue) made.push(value.value);
      }
      return made;
    };
  }

  #map({entries}: MapNode): Step {
    const steps = entries.map(({key, value, isOptional}) => ({key: this.plan(key), value: this.plan(value), isOptional}));
    const cost = 4 + 4 * entries.length;
    return (frame) => {
      meter.spend(cost);
      const made = new Map<unknown, unknown>();
      for (const step of steps) {
        const key = step.key(frame);
        if (key instanceof Fault) return key;
        const value = step.value(frame);
        if (value instanceof Fault) return value;
        if (step.isOptional) {
          if (!(value instanceof OptionalValue))
            return new Fault(`cannot initialize optional entry '${shownValue(key)}' from non-optional value ${shownValue(value)}`);
          if (value.hasValue) made.set(key, value.value);
        } else made.set(key, value);
      }
      return made;
    };
  }

  #struct({name, fields}: StructNode): Step {
    const {construct} = this.#scope;
    if (!construct) throw new Error(`nothing constructs ${name}`);
    const steps = fields.map((field) => ({...field, step: this.plan(field.value)}));
    return (frame) => {
      meter.spend(6 + 4 * steps.length);
      const given: [string, unknown][] = [];
      for (const {name: field, isOptional, step} of steps) {
        const value = step(frame);
        if (value instanceof Fault) return value;
        if (!isOptional) given.push([field, value]);
        else if (!(value instanceof OptionalValue))
          return new Fault(`cannot initialize optional entry '${field}' from non-optional value ${shownValue(value)}`);
        else if (value.hasValue) given.push([field, value.value]);
      }
      return construct(name.replace(/^\./, ''), given);
    };
  }
}

type Operation = (a: unknown, b: unknown) => unknown;

const ordered =
  (holds: (order: number) => boolean): Operation =>
  (a, b) => {
    const order = compare(a, b);
    return typeof order === 'number' ? holds(order) : order;
  };

const operators: Readonly<Record<string, Operation>> = {
  '!_': (value) => (typeof value === 'boolean' ? !value : noSuchOverload()),
  '-_': negate,
  '_+_': add,
  '_-_': subtract,
  '_*_': multiply,
  '_/_': divide,
  '_%_': remainder,
  '_==_': equal,
  // What cannot be compared is not equal.
  '_!=_': (a, b) => equal(a, b) !== true,
  '_<_': ordered((order) => order < 0),
  '_<=_': ordered((order) => order <= 0),
  '_>_': ordered((order) => order > 0),
  '_>=_': ordered((order) => order >= 0),
  '@in': (value, container) => {
    if (Array.isArray(container)) return isIn(value, container);
    if (container instanceof Map) {
      const found = index(container, value, true);
      if (found instanceof Fault) return found;
      // What is read in place of a missing value is not in the map.
      return found !== undefined && !(container instanceof Entries && container.isMissing(found));
    }
    return noSuchOverload();
  },
  '_[_]': (value, key) =>
    value instanceof OptionalValue ? optionalOf(value, (inner) => index(inner, key, true)) : index(value, key, false),
};

/** `&&` and `||`: what decides wins over what fails. */
function either(left: Step, right: Step, deciding: boolean): Step {
  return (frame) => {
    meter.spend(2);
    const a = left(frame);
    if (a === deciding) return deciding;
    const b = right(frame);
    if (b === deciding) return deciding;
    if (a === !deciding && b === !deciding) return !deciding;
    if (a instanceof Fault) return a;
    if (typeof a !== 'boolean') return noSuchOverload();
    return b instanceof Fault ? b : noSuchOverload();
  };
}

function selected(value: unknown, field: unknown): unknown {
  meter.spend(3);
  if (value instanceof Fault) return value;
  return optionalOf(value instanceof OptionalValue ? value : OptionalValue.of(value), (inner) => select(inner, field as string, true));
}

function orElse(left: Step, right: Step, isOptional: boolean): Step {
  return (frame) => {
    meter.spend(2);
    const value = left(frame);
    if (!(value instanceof OptionalValue)) return value;
    if (value.hasValue) return isOptional ? value : value.value;
    return right(frame);
  };
}
