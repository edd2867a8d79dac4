import type {LibraryNode} from '../library-node.js';
import {callCost} from './call-cost.js';
import {modelOf, modelOfAll, sizeOf, typeOf, unionModel, type Estimate, type Operand} from './estimate.js';
import {operatorCost} from './operator-cost.js';
import {add, exactly, multiply, unionOf, type SizeRange} from './size-range.js';
import type {SizeModel} from './size-model.js';

const listCost = 10;
const mapCost = 30;

/** The cost of a macro's loop without its operands, as cel-go expands it. */
interface Loop {
  /** Once. */
  readonly base: number;
  /** For each iteration. */
  readonly step: number;
}

const loops: Readonly<Record<string, Loop>> = {
  all: {base: 1, step: 3},
  exists: {base: 1, step: 4},
  exists_one: {base: 2, step: 2},
  filter: {base: listCost + 1, step: listCost + 3},
  map: {base: listCost + 1, step: listCost + 2},
};

/**
 * The maximum cost of evaluating a checked rule, in Kubernetes' units (cel-go's `checker.Cost`): one for an operation or the use of a name,
 * more for strings and lists as large as their schema allows.
 *
 * Results of `filter` and `map` are no larger than their range, and the parts of their items are known. Kubernetes does so since 1.31;
 * earlier releases treated them as unbounded.
 *
 * @param sizes of the values of the names that it may use; undefined: of any size
 */
export function expressionCost(root: LibraryNode, sizes: ReadonlyMap<string, SizeModel | undefined>): number {
  const known = [...sizes].map(([name, model]): [string, Estimate] => [name, {cost: 1, model}]);
  return new Estimator(new Map(known)).visit(root).cost;
}

class Estimator {
  readonly #names: Map<string, Estimate>;

  /** @param names what is known about the names that the expression may use */
  constructor(names: Map<string, Estimate>) {
    this.#names = names;
  }

  visit(node: LibraryNode): Operand {
    return {...this.#estimate(node), type: typeOf(node), node};
  }

  #estimate(node: LibraryNode): Estimate {
    const args = node.args as readonly unknown[];
    switch (node.op) {
      case 'value':
        return {cost: 0, size: exactly(constantSize(node.args))};
      case 'id':
        return this.#names.get(node.args as string) ?? {cost: 1};
      case '.':
      case '.?':
        return this.#select(this.visit(args[0] as LibraryNode), args[1] as string, node.op === '.?');
      case '[]':
      case '[?]':
        return this.#index(this.visit(args[0] as LibraryNode), this.visit(args[1] as LibraryNode));
      case 'call':
        return this.#call(node, undefined, args[0] as string, args[1] as readonly LibraryNode[]);
      case 'rcall':
        return this.#call(node, args[1] as LibraryNode, args[0] as string, args[2] as readonly LibraryNode[]);
      case 'list':
        return this.#list(args as readonly LibraryNode[]);
      case 'map':
        return this.#map(args as readonly (readonly LibraryNode[])[]);
      case '?:':
        return this.#condition(args as readonly LibraryNode[]);
      case '!_':
        return {cost: add(1, this.visit(node.args as LibraryNode).cost)};
      case '-_':
        return this.#negation(this.visit(node.args as LibraryNode));
      default:
        return this.#operator(node.op, this.visit(args[0] as LibraryNode), this.visit(args[1] as LibraryNode));
    }
  }

  #select(operand: Operand, name: string, isOptional: boolean): Estimate {
    const type = operand.type.kind === 'optional' ? operand.type.valueType! : operand.type;
    const own = isOptional || type.kind !== 'dyn' ? 1 : 0;
    const model = type.kind === 'map' ? entryModel(operand.model) : operand.model?.field?.(name);
    return {cost: add(operand.cost, own), model};
  }

  #index(operand: Operand, index: Operand): Estimate {
    const type = operand.type.kind === 'optional' ? operand.type.valueType! : operand.type;
    const name: unknown = index.node.op === 'value' ? index.node.args : undefined;
    const model = type.kind === 'message' && typeof name === 'string' ? operand.model?.field?.(name) : operand.model?.item;
    return {cost: add(1, add(operand.cost, index.cost)), model};
  }

  #call(node: LibraryNode, receiver: LibraryNode | undefined, written: string, args: readonly LibraryNode[]): Estimate {
    // Our functions that replace the library's have a name that ends in `_`.
    const name = written.replace(/_$/, '');
    if (!receiver && name === 'has') return {cost: 0};
    if (receiver && node.meta.alternate) return this.#loop(name, this.visit(receiver), args);
    if (receiver && node.meta.macro && name === 'bind') return this.#bind(args);
    const target = receiver && this.visit(receiver);
    const operands = args.map((arg) => this.visit(arg));
    const own = callCost(name, target, operands);
    return {...own, cost: operands.reduce((sum, {cost}) => add(sum, cost), add(own.cost, target?.cost ?? 0))};
  }

  /** A macro that iterates over a list, or over the keys of a map. */
  #loop(name: string, range: Operand, [variable, ...parts]: readonly LibraryNode[]): Estimate {
    const {base, step} = loops[name]!;
    const model = modelOf(range);
    const item = range.type.kind === 'map' ? model?.key : model?.item;
    const operands = this.#within(variable!.args as string, {cost: 1, model: item}, () => parts.map((part) => this.visit(part)));
    const count = sizeOf(range);
    const once = operands.reduce((sum, {cost}) => add(sum, cost), step);
    const cost = add(add(range.cost, base), multiply(count.max, once));
    if (name !== 'filter' && name !== 'map') return {cost};
    const result = operands.at(-1)!;
    const size: SizeRange = {min: name === 'map' && operands.length === 1 ? count.min : 0, max: count.max};
    return {cost, size, model: {maxElements: size.max, item: name === 'filter' ? item : modelOfAll([result])}};
  }

  /** `cel.bind(name, value, expression)`: a loop without iterations. */
  #bind([variable, value, expression]: readonly LibraryNode[]): Estimate {
    const bound = this.visit(value!);
    const result = this.#within(variable!.args as string, {cost: 1, size: bound.size, model: bound.model}, () => this.visit(expression!));
    return {...result, cost: add(listCost, add(bound.cost, result.cost))};
  }

  #within<T>(name: string, known: Estimate, work: () => T): T {
    const outer = this.#names.get(name);
    this.#names.set(name, known);
    const result = work();
    if (outer) this.#names.set(name, outer);
    else this.#names.delete(name);
    return result;
  }

  #list(nodes: readonly LibraryNode[]): Estimate {
    const items = nodes.map((node) => this.visit(node));
    return {
      cost: items.reduce((sum, {cost}) => add(sum, cost), listCost),
      size: exactly(items.length),
      model: {maxElements: items.length, item: modelOfAll(items)},
    };
  }

  #map(entries: readonly (readonly LibraryNode[])[]): Estimate {
    const keys = entries.map(([key]) => this.visit(key!));
    const values = entries.map(([, value]) => this.visit(value!));
    const cost = [...keys, ...values].reduce((sum, part) => add(sum, part.cost), mapCost);
    return {cost, size: exactly(entries.length), model: {maxElements: entries.length, key: modelOfAll(keys), item: modelOfAll(values)}};
  }

  #condition([condition, yes, no]: readonly LibraryNode[]): Estimate {
    const test = this.visit(condition!);
    const left = this.visit(yes!);
    const right = this.visit(no!);
    return {
      cost: add(test.cost, Math.max(left.cost, right.cost)),
      size: unionOf(sizeOf(left), sizeOf(right)),
      model: unionModel(left, right),
    };
  }

  /** A negative number is a constant. */
  #negation(operand: Operand): Estimate {
    return operand.node.op === 'value' ? {cost: 0, size: exactly(1)} : {cost: add(1, operand.cost)};
  }

  #operator(operator: string, left: Operand, right: Operand): Estimate {
    const operands = add(left.cost, right.cost);
    if (operator === '&&' || operator === '||') return {cost: operands};
    const own = operatorCost(operator, left, right);
    return {...own, cost: add(operands, own.cost)};
  }
}

/**
 * An entry selected by its name. Kubernetes does not know its size and counts numbers as one. Here strings are bounded like the other
 * values.
 */
function entryModel(map: SizeModel | undefined): SizeModel | undefined {
  return map?.item?.maxElements === 0 ? undefined : map?.item;
}

function constantSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.length : 1;
}
