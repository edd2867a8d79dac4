import type {CelFeatures} from '../features.js';
import {accumulatorName, type Comprehension, type Node} from './ast.js';

/** What a macro makes of its call: a node, or what is wrong with it; undefined if it is a call like others. */
export type Expansion = {readonly node: Node} | {readonly fault: string; readonly at: number} | undefined;

/** @param at where the call stands; undefined as target for functions */
type Macro = (at: number, target: Node | undefined, args: readonly Node[], accumulator: string) => Expansion;

const always = (at: number): Node => ({op: 'literal', at, value: true});
const ident = (at: number, name: string): Node => ({op: 'ident', at, name});
const call = (at: number, name: string, ...args: readonly Node[]): Node => ({op: 'call', at, name, target: undefined, args});
const listOf = (at: number, ...items: readonly Node[]): Node => ({op: 'list', at, items, optional: none});
const method = (at: number, target: Node, name: string): Node => ({op: 'call', at, name, target, args: []});
const none: ReadonlySet<number> = new Set();

interface Loop {
  readonly initial: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
}

/** The parts of `all`, `exists` and `exists_one`. */
const quantifiers: Readonly<Record<string, (at: number, accumulator: string, predicate: Node) => Loop>> = {
  all: (at, accumulator, predicate) => ({
    initial: always(at),
    condition: call(at, '@not_strictly_false', ident(at, accumulator)),
    step: call(at, '_&&_', ident(at, accumulator), predicate),
    result: ident(at, accumulator),
  }),
  exists: (at, accumulator, predicate) => ({
    initial: {op: 'literal', at, value: false},
    condition: call(at, '@not_strictly_false', call(at, '!_', ident(at, accumulator))),
    step: call(at, '_||_', ident(at, accumulator), predicate),
    result: ident(at, accumulator),
  }),
  exists_one: (at, accumulator, predicate) => ({
    initial: {op: 'literal', at, value: 0n},
    condition: always(at),
    step: call(at, '_?_:_', predicate, call(at, '_+_', ident(at, accumulator), {op: 'literal', at, value: 1n}), ident(at, accumulator)),
    result: call(at, '_==_', ident(at, accumulator), {op: 'literal', at, value: 1n}),
  }),
};

function loopOver(at: number, range: Node, [variable, secondVariable]: readonly string[], accumulator: string, loop: Loop): Comprehension {
  return {op: 'comprehension', at, range, variable: variable!, secondVariable, accumulator, ...loop};
}

/** The names of variables, or what is wrong with them. */
function namesOf(nodes: readonly Node[], accumulator: string, otherFault: string): readonly string[] | {fault: string; at: number} {
  const names: string[] = [];
  for (const node of nodes) {
    if (node.op !== 'ident') return {fault: otherFault, at: node.at};
    if (names.includes(node.name)) return {fault: `duplicate variable name: ${node.name}`, at: node.at};
    names.push(node.name);
  }
  // Only a name of which all is known can be in the way.
  if (accumulator === accumulatorName)
    for (const node of nodes)
      if (node.op === 'ident' && node.name === '__result__')
        return {fault: 'iteration variable overwrites accumulator variable', at: node.at};
  return names;
}

const isFault = (value: object): value is {fault: string; at: number} => 'fault' in value;

function quantifier(kind: string, variables: 1 | 2): Macro {
  return (at, target, args, accumulator) => {
    const names = namesOf(args.slice(0, variables), accumulator, 'argument must be a simple name');
    if (isFault(names)) return names;
    return {node: loopOver(at, target!, names, accumulator, quantifiers[kind]!(at, accumulator, args[variables]!))};
  };
}

/** Goes on with what it has where a filter does not hold. */
function filtered(at: number, accumulator: string, filter: Node | undefined, step: Node): Node {
  return filter ? call(at, '_?_:_', filter, step, ident(at, accumulator)) : step;
}

function makesList(variables: 1 | 2, otherFault: string): Macro {
  return (at, target, args, accumulator) => {
    const names = namesOf(args.slice(0, variables), accumulator, otherFault);
    if (isFault(names)) return names;
    const [first, second] = args.slice(variables);
    const step = call(at, '_+_', ident(at, accumulator), listOf(at, second ?? first!));
    return {
      node: loopOver(
        at,
        target!,
        names,
        accumulator,
        collecting(at, accumulator, listOf(at), filtered(at, accumulator, second && first, step)),
      ),
    };
  };
}

function collecting(at: number, accumulator: string, initial: Node, step: Node): Loop {
  return {initial, condition: always(at), step, result: ident(at, accumulator)};
}

const filter: Macro = (at, target, args, accumulator) => {
  const names = namesOf(args.slice(0, 1), accumulator, 'argument is not an identifier');
  if (isFault(names)) return names;
  const step = call(at, '_+_', ident(at, accumulator), listOf(at, args[0]!));
  return {
    node: loopOver(at, target!, names, accumulator, collecting(at, accumulator, listOf(at), filtered(at, accumulator, args[1], step))),
  };
};

function makesMap(isEntry: boolean): Macro {
  return (at, target, args, accumulator) => {
    const names = namesOf(args.slice(0, 2), accumulator, 'argument must be a simple name');
    if (isFault(names)) return names;
    const [first, second] = args.slice(2);
    const made = isEntry ? [second ?? first!] : [ident(at, names[0]!), second ?? first!];
    const step = filtered(at, accumulator, second && first, call(at, 'cel.@mapInsert', ident(at, accumulator), ...made));
    return {node: loopOver(at, target!, names, accumulator, collecting(at, accumulator, {op: 'map', at, entries: []}, step))};
  };
}

const has: Macro = (_at, _target, [selection]) =>
  selection!.op === 'select'
    ? {node: {...selection!, at: _at, isTest: true}}
    : {fault: 'invalid argument to has() macro', at: selection!.at};

/** A name for a value within an expression. */
function bound(at: number, name: string, value: Node, result: Node): Node {
  const loop = {initial: value, condition: {op: 'literal', at, value: false} as const, step: ident(at, name), result};
  return {op: 'comprehension', at, range: listOf(at), variable: '#unused', secondVariable: undefined, accumulator: name, ...loop};
}

function ofOptional(name: 'optMap' | 'optFlatMap'): Macro {
  return (at, target, [variable, expression]) => {
    if (variable!.op !== 'ident') return {fault: `${name}() variable name must be a simple identifier`, at: variable!.at};
    const inner = bound(at, variable!.name, method(at, copyOf(target!), 'value'), expression!);
    const some = name === 'optMap' ? call(at, 'optional.of', inner) : inner;
    return {node: call(at, '_?_:_', method(at, target!, 'hasValue'), some, call(at, 'optional.none'))};
  };
}

const bind: Macro = (at, target, [variable, value, result]) => {
  if (target!.op !== 'ident' || target!.name !== 'cel') return undefined;
  if (variable!.op !== 'ident') return {fault: 'cel.bind() variable names must be simple identifiers', at: variable!.at};
  return {node: bound(at, variable!.name, value!, result!)};
};

const sortable: ReadonlySet<Node['op']> = new Set(['list', 'select', 'ident', 'comprehension', 'call']);
const sortInput = '@__sortBy_input__';

const sortBy: Macro = (at, target, args, accumulator) => {
  if (!sortable.has(target!.op))
    return {fault: 'sortBy can only be applied to a list, identifier, comprehension, call or select expression', at: target!.at};
  const keys = makesList(1, 'argument is not an identifier')(at, ident(at, sortInput), args, accumulator)!;
  if (!('node' in keys)) return keys;
  const sorted: Node = {op: 'call', at, name: '@sortByAssociatedKeys', target: ident(at, sortInput), args: [keys.node]};
  return {node: bound(at, sortInput, target!, sorted)};
};

/** By name, number of arguments, and whether it is a method. */
type Macros = ReadonlyMap<string, Macro>;

const made = new Map<string, Macros>();

/** What a call becomes if it is one of a macro. */
export function expand(features: CelFeatures, at: number, name: string, target: Node | undefined, args: readonly Node[]): Expansion {
  let macros = made.get(features.key);
  if (!macros) made.set(features.key, (macros = macrosOf(features)));
  const accumulator = features.has('hidden-accumulator') ? accumulatorName : '__result__';
  return macros.get(`${name}:${args.length}:${target !== undefined}`)?.(at, target, args, accumulator);
}

function macrosOf(features: CelFeatures): Macros {
  const macros = new Map<string, Macro>([
    ['has:1:false', has],
    ['all:2:true', quantifier('all', 1)],
    ['exists:2:true', quantifier('exists', 1)],
    ['exists_one:2:true', quantifier('exists_one', 1)],
    ['map:2:true', makesList(1, 'argument is not an identifier')],
    ['map:3:true', makesList(1, 'argument is not an identifier')],
    ['filter:2:true', filter],
  ]);
  if (features.has('optional-types')) macros.set('optMap:2:true', ofOptional('optMap')).set('optFlatMap:2:true', ofOptional('optFlatMap'));
  if (features.has('bindings')) macros.set('bind:3:true', bind);
  if (features.has('lists')) macros.set('sortBy:2:true', sortBy);
  if (features.has('two-variables')) {
    for (const kind of ['all', 'exists', 'exists_one']) macros.set(`${kind}:3:true`, quantifier(kind, 2));
    macros.set('existsOne:3:true', quantifier('exists_one', 2));
    for (const count of [3, 4]) {
      macros.set(`transformList:${count}:true`, makesList(2, 'argument must be a simple name'));
      macros.set(`transformMap:${count}:true`, makesMap(false));
      macros.set(`transformMapEntry:${count}:true`, makesMap(true));
    }
  }
  return macros;
}

/** The same with nodes of its own: the checker writes into them. */
function copyOf(node: Node): Node {
  switch (node.op) {
    case 'select':
      return {...node, operand: copyOf(node.operand)};
    case 'call':
      return {...node, target: node.target && copyOf(node.target), args: node.args.map(copyOf)};
    case 'list':
      return {...node, items: node.items.map(copyOf)};
    case 'map':
      return {...node, entries: node.entries.map((entry) => ({...entry, key: copyOf(entry.key), value: copyOf(entry.value)}))};
    case 'struct':
      return {...node, fields: node.fields.map((field) => ({...field, value: copyOf(field.value)}))};
    case 'comprehension': {
      const {range, initial, condition, step, result} = node;
      return {
        ...node,
        range: copyOf(range),
        initial: copyOf(initial),
        condition: copyOf(condition),
        step: copyOf(step),
        result: copyOf(result),
      };
    }
    default:
      return {...node};
  }
}
