import type {CelFeatures} from '../features.js';
import {isBinding, type Call, type Comprehension, type Node} from '../syntax/ast.js';
import {callCost, operatorCost} from './call-cost.js';
import {Estimates, type CallEstimate} from './estimate.js';
import {add, exactly, multiply, unbounded, unionOf, type SizeRange} from './size-range.js';
import type {SizeModel} from './size-model.js';

const listCost = 10;
const mapCost = 30;
const structCost = 40;

/**
 * The maximum cost of evaluating a checked rule, in Kubernetes' units (cel-go's `checker.Cost`): one for an operation or the use of a name,
 * more for strings and lists as large as their schema allows.
 *
 * @param sizes of the values of the names that it may use; undefined: of any size
 */
export function expressionCost(root: Node, sizes: ReadonlyMap<string, SizeModel | undefined>, features: CelFeatures): number {
  return new Estimator(new Estimates(sizes, features), features).cost(root);
}

class Estimator {
  readonly #estimates: Estimates;
  readonly #features: CelFeatures;

  constructor(estimates: Estimates, features: CelFeatures) {
    this.#estimates = estimates;
    this.#features = features;
  }

  cost(node: Node): number {
    switch (node.op) {
      case 'ident':
        this.#ident(node.name, node);
        return 1;
      case 'select': {
        if (node.qualified !== undefined) {
          this.#estimates.setPath(node, [node.qualified]);
          return 1;
        }
        const operand = this.cost(node.operand);
        // To ask for a field costs nothing.
        if (node.isTest) return operand;
        this.#estimates.setPath(node, [...this.#estimates.pathOf(node.operand), node.field]);
        return add(operand, selectable.has(node.operand.type!.kind) ? 1 : 0);
      }
      case 'call':
        return this.#call(node);
      case 'list':
        return add(this.#all(node.items, node, 'list', node.items, []), listCost);
      case 'map': {
        const keys = node.entries.map(({key}) => key);
        const values = node.entries.map(({value}) => value);
        return add(
          this.#all(
            node.entries.flatMap(({key, value}) => [key, value]),
            node,
            'map',
            values,
            keys,
          ),
          mapCost,
        );
      }
      case 'struct':
        return node.fields.reduce((sum, {value}) => add(sum, this.cost(value)), structCost);
      case 'comprehension':
        return this.#estimates.hasEntries && isBinding(node) && node.accumulator !== '__result__' ? this.#binding(node) : this.#loop(node);
      default:
        return 0;
    }
  }

  #ident(name: string, node: Node): void {
    const local = this.#estimates.local(name);
    this.#estimates.setPath(node, local ? local.path : [name]);
  }

  #all(nodes: readonly Node[], node: Node, of: 'list' | 'map', values: readonly Node[], keys: readonly Node[]): number {
    const cost = nodes.reduce((sum, part) => add(sum, this.cost(part)), 0);
    if (this.#estimates.hasEntries) {
      const around = (parts: readonly Node[]): SizeRange =>
        parts.length === 0
          ? exactly(0)
          : parts.map((part) => this.#estimates.sizeOrAny(part)).reduce((all, size) => unionOf(all, size), {min: unbounded, max: 0});
      this.#estimates.setEntries(node, {of, key: of === 'list' ? exactly(1) : around(keys), value: around(values)});
    }
    return cost;
  }

  #call(node: Call): number {
    const {name, args, target} = node;
    if (name === 'dyn' && this.#estimates.hasEntries) {
      const cost = this.cost(args[0]!);
      this.#copySizes(node, args[0]!);
      return add(cost, 1);
    }
    const argCosts = args.map((arg) => this.cost(arg));
    const operands = args.map((arg) => this.#estimates.operand(arg));
    if (!node.overloads || node.overloads.length === 0) return 0;
    const targetCost = target ? this.cost(target) : 0;
    const receiver = target && this.#estimates.operand(target);
    const sum = argCosts.reduce(add, 0);
    let cost = 0;
    let size: SizeRange | undefined;
    for (const overload of node.overloads) {
      const own: CallEstimate =
        callCost(name, overload, receiver, operands, this.#estimates, this.#features) ??
        operatorCost(name, overload, receiver, operands, argCosts, this.#estimates, node);
      cost = Math.max(cost, own.isWhole ? own.cost : add(own.cost, sum));
      if (own.size) size = size ? unionOf(size, own.size) : own.size;
      if (name === '_[_]' && (overload === indexes.list || overload === indexes.map)) {
        if (this.#estimates.hasEntries) size = this.#estimates.entriesOf(args[0]!)?.value;
        this.#estimates.setPath(node, [...this.#estimates.pathOf(args[0]!), overload === indexes.list ? '@items' : '@values']);
      }
      if (!size && this.#estimates.hasEntries) size = this.#estimates.sizeOf(node);
    }
    this.#estimates.setSize(node, size);
    return add(targetCost, cost);
  }

  #copySizes(to: Node, from: Node): void {
    this.#estimates.setSize(to, this.#estimates.sizeOf(from));
    this.#estimates.setEntries(to, this.#estimates.entriesOf(from));
  }

  #binding(node: Comprehension): number {
    const {range, accumulator, initial, result} = node;
    const cost = add(this.cost(range), this.cost(initial));
    const inner = this.#estimates.within(accumulator, this.#localOf(initial), () => this.cost(result));
    this.#copySizes(node, result);
    return add(cost, inner);
  }

  #localOf(node: Node) {
    return {path: this.#estimates.pathOf(node), size: this.#estimates.sizeOf(node), entries: this.#estimates.entriesOf(node)};
  }

  #loop(node: Comprehension): number {
    const {range, initial, condition, step, result, accumulator, variable, secondVariable} = node;
    let cost = add(this.cost(range), this.cost(initial));
    const path = this.#estimates.pathOf(range);
    const entries = this.#estimates.entriesOf(range);
    const of = entries?.of ?? range.type!.kind;
    let round = 0;
    const visitParts = () => {
      round = add(this.cost(condition), this.cost(step));
    };
    const key = {path: [...path, of === 'list' ? '@indices' : '@keys'], size: entries?.key, entries: undefined};
    const value = {path: [...path, of === 'list' ? '@items' : '@values'], size: entries?.value, entries: undefined};
    const single = of === 'list' ? value : key;
    if (!this.#estimates.hasEntries) {
      const known = of === 'list' || of === 'map';
      const local = {path: known ? single.path : [], size: undefined, entries: undefined};
      this.#estimates.within(variable, local, () =>
        secondVariable === undefined ? visitParts() : this.#estimates.within(secondVariable, {...local, path: []}, visitParts),
      );
      cost = add(cost, this.cost(result));
    } else {
      cost = add(
        cost,
        this.#estimates.within(accumulator, this.#localOf(initial), () => {
          if (secondVariable === undefined) this.#estimates.within(variable, single, visitParts);
          else this.#estimates.within(variable, key, () => this.#estimates.within(secondVariable, value, visitParts));
          return this.cost(result);
        }),
      );
    }
    const count = this.#estimates.sizeOrAny(range);
    this.#setResult(node, count);
    return add(cost, multiply(count.max, round));
  }

  #setResult(node: Comprehension, count: SizeRange): void {
    if (!this.#estimates.hasEntries) {
      this.#estimates.setSize(node, count);
      return;
    }
    if (node.initial.op === 'literal') this.#estimates.setSize(node, this.#estimates.sizeOf(node.initial));
    if (node.initial.op !== 'list' && node.initial.op !== 'map') return;
    this.#estimates.setSize(node, count);
    this.#estimates.setEntries(node, this.#estimates.entriesOf(node.step));
  }
}

const selectable: ReadonlySet<string> = new Set(['map', 'struct', 'param']);
const indexes = {list: '_[_](list(A), int)', map: '_[_](map(A, B), A)'};
