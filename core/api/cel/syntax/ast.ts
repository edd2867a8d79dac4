import type {CelType} from '../types/cel-type.js';

interface Place {
  /** Of the token that messages about it point at. */
  readonly at: number;
  /** Found by the checker. */
  type?: CelType;
  /** How many operators, selections and calls are nested in it as it is written. */
  height?: number;
}

export interface Literal extends Place {
  readonly op: 'literal';
  /** A string, number (double), bigint (int), boolean, null, `Uint` or `Uint8Array`. */
  readonly value: unknown;
}

export interface Ident extends Place {
  readonly op: 'ident';
  name: string;
}

export interface Select extends Place {
  readonly op: 'select';
  readonly operand: Node;
  readonly field: string;
  /** Whether only the presence of the field is asked for: `has(a.b)`. */
  readonly isTest: boolean;
  /** The name of the variable or type that all of it is, if it is one: `google.protobuf.Duration`. */
  qualified?: string;
}

/** A call of a function, a method or an operator, whose name is then like `_+_`. */
export interface Call extends Place {
  readonly op: 'call';
  name: string;
  /** Of a method. The checker removes one that is part of the name: `ip.isCanonical(…)`. */
  target: Node | undefined;
  readonly args: readonly Node[];
  /** The ids of the overloads that fit, found by the checker. */
  overloads?: readonly string[];
}

export interface ListNode extends Place {
  readonly op: 'list';
  readonly items: readonly Node[];
  /** Which items are optional values, left out if they have none. */
  readonly optional: ReadonlySet<number>;
}

export interface Entry {
  readonly at: number;
  readonly key: Node;
  readonly value: Node;
  readonly isOptional: boolean;
}

export interface MapNode extends Place {
  readonly op: 'map';
  readonly entries: readonly Entry[];
}

export interface StructField {
  readonly at: number;
  readonly name: string;
  readonly value: Node;
  readonly isOptional: boolean;
}

/** `Name{field: value}`. */
export interface StructNode extends Place {
  readonly op: 'struct';
  readonly name: string;
  readonly fields: readonly StructField[];
}

/** What macros such as `all` become. */
export interface Comprehension extends Place {
  readonly op: 'comprehension';
  readonly range: Node;
  readonly variable: string;
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly initial: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
}

/** What an issue was reported of. */
export interface Invalid extends Place {
  readonly op: 'invalid';
}

export type Node = Literal | Ident | Select | Call | ListNode | MapNode | StructNode | Comprehension | Invalid;

/** The accumulator of macros. No variable can have the name. */
export const accumulatorName = '@result';

/** The parts of a node that are evaluated, in the order in which they are written. */
export function partsOf(node: Node): readonly Node[] {
  switch (node.op) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target ? [node.target, ...node.args] : node.args;
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flatMap(({key, value}) => [key, value]);
    case 'struct':
      return node.fields.map(({value}) => value);
    case 'comprehension':
      return [node.range, node.initial, node.condition, node.step, node.result];
    default:
      return [];
  }
}

/** Whether a comprehension only gives a value a name: it goes over nothing. */
export function isBinding({range, condition}: Comprehension): boolean {
  return range.op === 'list' && range.items.length === 0 && condition.op === 'literal' && condition.value === false;
}
