import type {CelFeatures} from '../features.js';
import type {Declarations} from '../libraries/declarations.js';
import type {FunctionDeclaration} from '../libraries/overload.js';
import {
  partsOf,
  type Call,
  type Comprehension,
  type ListNode,
  type MapNode,
  type Node,
  type Select,
  type StructNode,
} from '../syntax/ast.js';
import type {Issues} from '../syntax/issues.js';
import {
  boolType,
  bytesType,
  CelType,
  doubleType,
  anyType,
  dynType,
  errorType,
  intType,
  isDynOrError,
  isOptional,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  uintType,
} from '../types/cel-type.js';
import {StructType} from '../types/struct-type.js';
import {mostGeneral, Unification} from '../types/unification.js';
import {Uint} from '../values/uint.js';

/** What an expression can refer to. */
export interface CheckScope {
  readonly features: CelFeatures;
  readonly declarations: Declarations;
  /** The types of variables by their names. */
  readonly variables: ReadonlyMap<string, CelType>;
  /** The types of names that an expression can contain, but that nothing evaluates. */
  readonly unplanned: ReadonlyMap<string, CelType>;
  /** Types that can be constructed, by name. */
  structType?(name: string): StructType | undefined;
}

/**
 * Finds the type of each part of an expression and the overloads that calls may mean, and reports what does not go together in the words of
 * cel-go.
 */
export function check(root: Node, scope: CheckScope, issues: Issues): void {
  const checker = new Checker(scope, issues);
  checker.check(root);
  checker.finish(root);
}

interface Locals {
  readonly names: ReadonlyMap<string, CelType>;
  readonly outer: Locals | undefined;
}

class Checker {
  readonly #scope: CheckScope;
  readonly #issues: Issues;
  readonly #types = new Unification();
  #locals: Locals | undefined;

  constructor(scope: CheckScope, issues: Issues) {
    this.#scope = scope;
    this.#issues = issues;
  }

  check(node: Node): void {
    node.type = this.#typeOf(node);
  }

  /** Puts what they stand for in place of the parameters of types. */
  finish(node: Node): void {
    const pending = [node];
    for (let next = pending.pop(); next; next = pending.pop()) {
      if (next.type) next.type = this.#types.substitute(next.type, true);
      pending.push(...partsOf(next));
    }
  }

  #typeOf(node: Node): CelType {
    switch (node.op) {
      case 'literal':
        return literalType(node.value);
      case 'ident': {
        const found = this.#ident(node.name);
        if (!found) return this.#undeclared(node.at, node.name);
        node.name = found.name;
        return found.type;
      }
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
        return this.#comprehension(node);
      default:
        return errorType;
    }
  }

  #undeclared(at: number, name: string): CelType {
    this.#issues.report(at, `undeclared reference to '${name}' (in container '')`);
    return errorType;
  }

  #mismatch(at: number, expected: CelType, found: CelType): void {
    this.#issues.report(at, `expected type '${expected}' but found '${found}'`);
  }

  #local(name: string): CelType | undefined {
    for (let at = this.#locals; at; at = at.outer) {
      const type = at.names.get(name);
      if (type) return type;
    }
    return undefined;
  }

  /** With the name under which evaluation finds it: a leading dot says that no variable of a macro is meant. */
  #ident(written: string): {readonly name: string; readonly type: CelType} | undefined {
    const local = this.#local(written);
    if (local) return {name: written, type: local};
    const name = written.replace(/^\./, '');
    const type = this.#global(name);
    return type && {name: this.#local(name) ? `.${name}` : name, type};
  }

  #global(name: string): CelType | undefined {
    return this.#scope.variables.get(name) ?? this.#scope.declarations.types.get(name) ?? this.#scope.unplanned.get(name);
  }

  #select(node: Select): CelType {
    const qualified = node.isTest ? undefined : qualifiedName(node);
    if (qualified !== undefined) {
      const type = this.#local(qualified.split('.', 1)[0]!) ? undefined : this.#global(qualified.replace(/^\./, ''));
      if (type) {
        node.qualified = qualified.replace(/^\./, '');
        return type;
      }
    }
    const type = this.#field(node.at, node.operand, node.field, false);
    return node.isTest ? boolType : this.#types.substitute(type);
  }

  #field(at: number, operand: Node, name: string, isOptionalSelection: boolean): CelType {
    this.check(operand);
    const given = this.#types.substitute(operand.type!);
    const target = isOptional(given) ? given.parameters[0]! : given;
    let type = errorType;
    switch (target.kind) {
      case 'map':
        type = target.parameters[1]!;
        break;
      case 'struct':
        type = this.#fieldOf(at, target, name) ?? errorType;
        break;
      case 'param':
        this.#types.isAssignable(dynType, target);
        type = dynType;
        break;
      default:
        if (!isDynOrError(target)) this.#issues.report(at, `type '${target}' does not support field selection`);
        type = dynType;
    }
    return isOptional(given) || isOptionalSelection ? optionalOf(type) : type;
  }

  #fieldOf(at: number, type: CelType, name: string): CelType | undefined {
    if (!(type instanceof StructType)) {
      this.#issues.report(at, `unexpected failed resolution of '${type.name}'`);
      return undefined;
    }
    const field = type.field(name);
    if (!field) this.#issues.report(at, `undefined field '${name}'`);
    return field;
  }

  #call(node: Call): CelType {
    const {args, target} = node;
    if (node.name === '_?._') {
      const [operand, field] = args as readonly [Node, Node & {op: 'literal'}];
      this.check(field);
      node.overloads = ['_?._(dyn, string)'];
      return this.#types.substitute(this.#field(node.at, operand, field.value as string, true));
    }
    for (const arg of args) this.check(arg);
    if (!target) {
      const name = node.name.replace(/^\./, '');
      const declaration = this.#scope.declarations.functions.get(name);
      if (!declaration) return this.#undeclared(node.at, node.name);
      node.name = name;
      return this.#resolve(node, declaration);
    }
    const prefix = qualifiedName(target);
    const namespaced = prefix === undefined ? undefined : `${prefix.replace(/^\./, '')}.${node.name}`;
    const function_ = namespaced === undefined ? undefined : this.#scope.declarations.functions.get(namespaced);
    if (function_) {
      node.name = namespaced!;
      node.target = undefined;
      return this.#resolve(node, function_);
    }
    this.check(target);
    const declaration = this.#scope.declarations.functions.get(node.name);
    return declaration ? this.#resolve(node, declaration) : this.#undeclared(node.at, node.name);
  }

  #resolve(node: Call, {name, overloads}: FunctionDeclaration): CelType {
    const {args, target} = node;
    const types = [...(target ? [target.type!] : []), ...args.map(({type}) => type!)];
    if (name === '_&&_' || name === '_||_') return this.#logical(node);
    const found: string[] = [];
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.isMethod !== (target !== undefined) || overload.args.length !== types.length) continue;
      const fresh = new Map(overload.parameters.map((parameter) => [parameter, this.#types.newParameter()]));
      const [expected, own] = fresh.size === 0 ? [overload.args, overload.result] : instance(overload.args, overload.result, fresh);
      if (!this.#types.isEachAssignable(types, expected)) continue;
      found.push(overload.id);
      const type = this.#types.substitute(own);
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !type.isSame(result)) result = dynType;
    }
    if (result === undefined) {
      const shown = types.map((type) => this.#types.substitute(type, true));
      const signature = target ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
      this.#issues.report(node.at, `found no matching overload for '${name}' applied to '${signature}'`);
      return errorType;
    }
    node.overloads = found;
    return result;
  }

  #logical(node: Call): CelType {
    let isFine = true;
    for (const arg of node.args) {
      if (this.#types.isAssignable(arg.type!, boolType)) continue;
      this.#mismatch(arg.at, boolType, arg.type!);
      isFine = false;
    }
    if (!isFine) return errorType;
    node.overloads = [`${node.name}(bool, bool)`];
    return boolType;
  }

  #list({items, optional}: ListNode): CelType {
    let item: CelType | undefined;
    for (const [at, node] of items.entries()) {
      this.check(node);
      item = this.#joined(node, item, optional.has(at) ? this.#unwrapped(node) : node.type!);
    }
    return listOf(item ?? this.#types.newParameter());
  }

  #unwrapped({type, at}: Node): CelType {
    if (isOptional(type!)) return type!.parameters[0]!;
    if (type!.kind !== 'dyn') this.#mismatch(at, optionalOf(type!), type!);
    return type!;
  }

  #map({entries}: MapNode): CelType {
    let [key, value]: (CelType | undefined)[] = [];
    for (const entry of entries) {
      this.check(entry.key);
      key = this.#joined(entry.key, key, entry.key.type!);
      this.check(entry.value);
      value = this.#joined(entry.value, value, entry.isOptional ? this.#unwrapped(entry.value) : entry.value.type!);
    }
    return mapOf(key ?? this.#types.newParameter(), value ?? this.#types.newParameter());
  }

  /** The type of items of both types. */
  #joined({at}: Node, before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type;
    if (this.#types.isAssignable(before, type)) return mostGeneral(before, type);
    // Told later, where it is not what `format` is given.
    if (this.#scope.features.has('literal-checks')) return dynType;
    this.#mismatch(at, before, type);
    return errorType;
  }

  #struct({at, name, fields}: StructNode): CelType {
    const type = this.#scope.structType?.(name.replace(/^\./, ''));
    if (!type) {
      const variable = this.#scope.variables.get(name);
      if (variable) this.#issues.report(at, `'${variable.name}' is not a type`);
      const named = this.#scope.declarations.types.get(name);
      if (variable) return errorType;
      if (!named) return this.#undeclared(at, name);
      this.#issues.report(at, `'${named.parameters[0]?.name ?? name}' is not a message type`);
    }
    for (const field of fields) {
      this.check(field.value);
      const expected = type ? (this.#fieldOf(field.at, type, field.name) ?? errorType) : this.#failedResolution(field.at, name);
      const given = field.isOptional ? this.#unwrapped(field.value) : field.value.type!;
      if (!this.#types.isAssignable(expected, given))
        this.#issues.report(field.at, `expected type of field '${field.name}' is '${expected}' but provided type is '${given}'`);
    }
    return type ?? errorType;
  }

  #failedResolution(at: number, name: string): CelType {
    this.#issues.report(at, `unexpected failed resolution of '${name}'`);
    return errorType;
  }

  #comprehension(node: Comprehension): CelType {
    const {range, variable, secondVariable, accumulator, initial, condition, step, result} = node;
    this.check(range);
    this.check(initial);
    const ranged = this.#types.substitute(range.type!);
    const before = this.#locals;
    this.#locals = {names: new Map([[accumulator, initial.type!]]), outer: before};
    const [first, second] = this.#variables(range, ranged, secondVariable !== undefined);
    const outer = this.#locals;
    this.#locals = {
      names: new Map([[variable, first], ...(secondVariable === undefined ? [] : ([[secondVariable, second]] as const))]),
      outer,
    };
    this.check(condition);
    this.#assert(condition, boolType);
    this.check(step);
    this.#assert(step, initial.type!);
    this.#locals = outer;
    this.check(result);
    this.#locals = before;
    return this.#types.substitute(result.type!);
  }

  /** The types of the variables of a loop. */
  #variables({at}: Node, type: CelType, hasTwo: boolean): readonly [CelType, CelType] {
    switch (type.isSame(anyType) ? undefined : type.kind) {
      case 'list':
        return hasTwo ? [intType, type.parameters[0]!] : [type.parameters[0]!, dynType];
      case 'map':
        return [type.parameters[0]!, type.parameters[1]!];
      case 'dyn':
      case 'error':
      case 'param':
        this.#types.isAssignable(dynType, type);
        return [dynType, dynType];
      default:
        this.#issues.report(at, `expression of type '${type}' cannot be range of a comprehension (must be list, map, or dynamic)`);
        return [errorType, errorType];
    }
  }

  #assert(node: Node, type: CelType): void {
    if (!this.#types.isAssignable(type, node.type!)) this.#mismatch(node.at, type, node.type!);
  }
}

function literalType(value: unknown): CelType {
  switch (typeof value) {
    case 'string':
      return stringType;
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
    case 'boolean':
      return boolType;
    default:
      return value === null ? nullType : value instanceof Uint ? uintType : bytesType;
  }
}

/** The name that a chain of selections may be. */
function qualifiedName(node: Node): string | undefined {
  const parts: string[] = [];
  let at = node;
  while (at.op === 'select' && !at.isTest) {
    parts.unshift(at.field);
    at = at.operand;
  }
  return at.op === 'ident' ? [at.name, ...parts].join('.') : undefined;
}

function instance(args: readonly CelType[], result: CelType, fresh: ReadonlyMap<string, CelType>): [CelType[], CelType] {
  const of = (type: CelType): CelType => {
    if (type.kind === 'param') return fresh.get(type.name) ?? type;
    return type.parameters.length === 0 ? type : new CelType(type.kind, type.name, type.parameters.map(of));
  };
  return [args.map(of), of(result)];
}
