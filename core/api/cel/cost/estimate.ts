import type {CelFeatures} from '../features.js';
import type {Node} from '../syntax/ast.js';
import {isOptional, type CelType} from '../types/cel-type.js';
import {Uint} from '../values/uint.js';
import {anySize, exactly, unionOf, type SizeRange} from './size-range.js';
import type {SizeModel} from './size-model.js';

/** What is known about the sizes of what is in a list or map. */
export interface EntrySizes {
  readonly of: 'list' | 'map';
  readonly key: SizeRange;
  readonly value: SizeRange;
}

/** A variable of a macro. */
interface Local {
  readonly path: readonly string[];
  readonly size: SizeRange | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Where a value comes from, and what is known about its size. */
export interface Operand {
  readonly node: Node | undefined;
  readonly type: CelType;
  readonly path: readonly string[];
  /** As far as it is known without the schema. */
  readonly size: SizeRange | undefined;
}

/** The cost of a call, and the size of its result. */
export interface CallEstimate {
  readonly cost: number;
  readonly size?: SizeRange | undefined;
  /** Whether the cost of the operands is in it already. */
  readonly isWhole?: boolean;
}

/** What the estimate of an expression has found out about its parts so far. */
export class Estimates {
  /** Whether the sizes of what is in lists and maps that an expression makes are known. */
  readonly hasEntries: boolean;
  readonly #roots: ReadonlyMap<string, SizeModel | undefined>;
  readonly #paths = new Map<Node, readonly string[]>();
  readonly #sizes = new Map<Node, SizeRange>();
  readonly #entries = new Map<Node, EntrySizes>();
  readonly #locals = new Map<string, Local[]>();

  /** @param roots the sizes of variables by their names; undefined: of any size */
  constructor(roots: ReadonlyMap<string, SizeModel | undefined>, features: CelFeatures) {
    this.#roots = roots;
    this.hasEntries = features.has('bounded-entries');
  }

  local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  within<T>(name: string, local: Local, work: () => T): T {
    const stack = this.#locals.get(name) ?? [];
    this.#locals.set(name, stack);
    stack.push(local);
    const result = work();
    stack.pop();
    return result;
  }

  pathOf(node: Node): readonly string[] {
    if (node.op === 'ident' && this.hasEntries) {
      const local = this.local(node.name);
      if (local) return local.path;
    }
    return this.#paths.get(node) ?? [];
  }

  setPath(node: Node, path: readonly string[]): void {
    this.#paths.set(node, path);
  }

  setSize(node: Node, size: SizeRange | undefined): void {
    if (size) this.#sizes.set(node, size);
  }

  setEntries(node: Node, entries: EntrySizes | undefined): void {
    if (entries) this.#entries.set(node, entries);
  }

  entriesOf(node: Node): EntrySizes | undefined {
    return this.#entries.get(node) ?? (node.op === 'ident' ? this.local(node.name)?.entries : undefined);
  }

  /** The size of a part; undefined if nothing bounds it. */
  sizeOf(node: Node): SizeRange | undefined {
    const size = this.#sizes.get(node) ?? writtenSize(node) ?? this.atPath(this.pathOf(node)) ?? typeSize(node.type!, this.hasEntries);
    if (size || !this.hasEntries) return size;
    return node.op === 'ident' ? this.local(node.name)?.size : undefined;
  }

  sizeOrAny(node: Node): SizeRange {
    return this.sizeOf(node) ?? anySize;
  }

  operand(node: Node): Operand {
    const path = this.pathOf(node);
    const size = this.hasEntries ? this.sizeOf(node) : (this.#sizes.get(node) ?? writtenSize(node));
    return {node, type: node.type!, path: isAccumulator(path[0]) ? [] : path, size};
  }

  /** What libraries take for the size of an operand. */
  known({size, path}: Operand): SizeRange {
    return size ?? this.atPath(path) ?? anySize;
  }

  /** What the language itself takes for it. */
  ofOperand({node}: Operand): SizeRange {
    return this.sizeOrAny(node!);
  }

  /** The size that the schema allows at a place. */
  atPath(path: readonly string[]): SizeRange | undefined {
    if (path.length === 0 || isAccumulator(path[0])) return undefined;
    // The items of a list that an expression writes have a path without a variable: Kubernetes takes that for the value itself.
    let model = this.#roots.get(path[0]!) ?? this.#roots.get('self');
    for (const name of path.slice(1)) {
      if (name === '@items' || name === '@values') model = model?.item;
      else if (name === '@keys') model = model?.key;
      else model = model?.field?.(name);
    }
    return model && {min: 0, max: model.maxElements};
  }
}

function isAccumulator(name: string | undefined): boolean {
  return name === '@result' || name === '__result__';
}

function writtenSize(node: Node): SizeRange | undefined {
  if (node.op === 'list') return exactly(node.items.length);
  if (node.op === 'map') return exactly(node.entries.length);
  if (node.op !== 'literal') return undefined;
  const {value} = node;
  if (typeof value === 'string') return exactly([...value].length);
  return exactly(value instanceof Uint8Array && !(value instanceof Uint) ? value.length : 1);
}

const ofOneSize: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function typeSize(type: CelType, withOptional: boolean): SizeRange | undefined {
  const inner = withOptional && isOptional(type) ? type.parameters[0]! : type;
  return ofOneSize.has(inner.kind) ? exactly(1) : undefined;
}

export function eitherEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a && b && {of: a.of, key: unionOf(a.key, b.key), value: unionOf(a.value, b.value)};
}
