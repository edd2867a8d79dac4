import type {CelFeature} from '../features.js';
import {CelType} from '../types/cel-type.js';

/** What a function does with values of the right types. What it returns may be a `Fault`. */
export type Implementation = (first: never, second: never, third: never, fourth: never) => unknown;

/** One of the forms of a function. */
export interface Overload {
  /** `contains(string, string)`: unlike other forms of all functions, methods and others. */
  readonly id: string;
  /** Whether it is called on its first argument. */
  readonly isMethod: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** The names of the parameters of its types. */
  readonly parameters: readonly string[];
  /** Undefined for operators, which evaluation knows by itself. */
  readonly call: Implementation | undefined;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Kinds of values that all forms do the same with: the first argument is of one of them, the function sees to the others. */
  readonly kinds?: ReadonlySet<string>;
  /** Whether it sees to the types of its arguments by itself. */
  readonly isUnguarded?: boolean;
}

/** Functions that come together. */
export interface Library {
  /** Undefined for what all releases have. */
  readonly feature?: CelFeature;
  readonly functions: readonly FunctionDeclaration[];
  /** Names that stand for types. */
  readonly types?: readonly CelType[];
}

function overload(name: string, isMethod: boolean, args: readonly CelType[], result: CelType, call?: Implementation): Overload {
  const parameters = new Set<string>();
  for (const type of [...args, result]) collectParameters(type, parameters);
  const id = `${isMethod ? '.' : ''}${name}(${args.join(', ')})`;
  return {id, isMethod, args, result, parameters: [...parameters], call};
}

function collectParameters({kind, name, parameters: parts}: CelType, names: Set<string>): void {
  if (kind === 'param') names.add(name);
  for (const part of parts) collectParameters(part, names);
}

/** A form that is called by its name: `size(list)`. */
export function form(args: readonly CelType[], result: CelType, call?: Implementation): (name: string) => Overload {
  return (name) => overload(name, false, args, result, call);
}

/** A form that is called on its first argument: `list.size()`. */
export function method(args: readonly CelType[], result: CelType, call?: Implementation): (name: string) => Overload {
  return (name) => overload(name, true, args, result, call);
}

/** Functions by name with their forms. */
export function functionsOf(
  declared: Readonly<Record<string, readonly ((name: string) => Overload)[]>>,
  options: Omit<FunctionDeclaration, 'name' | 'overloads'> = {},
): FunctionDeclaration[] {
  return Object.entries(declared).map(([name, forms]) => ({name, overloads: forms.map((make) => make(name)), ...options}));
}

export const paramA = new CelType('param', 'A');
export const paramB = new CelType('param', 'B');
