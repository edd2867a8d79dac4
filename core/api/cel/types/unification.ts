import {CelType, dynType, isDynOrError} from './cel-type.js';

/** Kinds of values that may be null besides. */
const nullable: ReadonlySet<string> = new Set(['opaque', 'struct', 'duration', 'timestamp']);

/** What the parameters of types stand for, found while an expression is checked (unification, as in cel-go's checker). */
export class Unification {
  readonly #substitutes = new Map<string, CelType>();
  /** What was there before the changes of the current attempt. */
  #trail: (readonly [name: string, before: CelType | undefined])[] = [];
  #count = 0;

  /** A parameter that nothing is known about yet. */
  newParameter(): CelType {
    return new CelType('param', `_var${this.#count++}`);
  }

  /** Whether a value of the first type may stand for the second one. What that says about parameters is kept if so. */
  isAssignable(from: CelType, to: CelType): boolean {
    return this.isEachAssignable([from], [to]);
  }

  isEachAssignable(from: readonly CelType[], to: readonly CelType[]): boolean {
    this.#trail = [];
    if (this.#isEach(from, to)) return true;
    for (const [name, before] of this.#trail.toReversed())
      if (before === undefined) this.#substitutes.delete(name);
      else this.#substitutes.set(name, before);
    return false;
  }

  /** A type with its parameters replaced by what they stand for. @param withoutFree whether the others become `dyn` */
  substitute(type: CelType, withoutFree = false): CelType {
    if (type.kind === 'param') {
      const found = this.#substitutes.get(type.name);
      if (found) return this.substitute(found, withoutFree);
      return withoutFree ? dynType : type;
    }
    if (type.parameters.length === 0) return type;
    const parameters = type.parameters.map((parameter) => this.substitute(parameter, withoutFree));
    return parameters.every((parameter, at) => parameter === type.parameters[at]) ? type : new CelType(type.kind, type.name, parameters);
  }

  #isEach(from: readonly CelType[], to: readonly CelType[]): boolean {
    return from.length === to.length && from.every((type, at) => this.#is(type, to[at]!));
  }

  #is(from: CelType, to: CelType): boolean {
    if (to.kind === 'param') {
      const found = this.#standsFor(from, to);
      if (found !== undefined) return found;
    }
    if (from.kind === 'param') return this.#standsFor(to, from) ?? false;
    if (isDynOrError(from) || isDynOrError(to)) return true;
    if (from.kind === 'null') return to.kind === 'null' || nullable.has(to.kind);
    if (to.kind === 'null') return nullable.has(from.kind);
    switch (from.kind) {
      case 'type':
        return to.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return from.kind === to.kind && from.name === to.name && this.#isEach(from.parameters, to.parameters);
      default:
        return from.isSame(to);
    }
  }

  /** Whether a parameter can stand for a type; undefined if the type contains the parameter, and nothing is known about it. */
  #standsFor(type: CelType, parameter: CelType): boolean | undefined {
    if (type.isSame(parameter)) return true;
    const found = this.#substitutes.get(parameter.name);
    if (found) {
      if (type.isSame(found)) return true;
      if (!this.#is(type, found)) return false;
      const general = mostGeneral(type, found);
      if (!this.#contains(general, parameter)) this.#set(parameter.name, general);
      return true;
    }
    if (this.#contains(type, parameter)) return undefined;
    this.#set(parameter.name, type);
    return true;
  }

  #contains(type: CelType, parameter: CelType): boolean {
    if (type.isSame(parameter)) return true;
    if (type.kind === 'param') {
      const found = this.#substitutes.get(type.name);
      return found !== undefined && this.#contains(found, parameter);
    }
    return type.parameters.some((part) => this.#contains(part, parameter));
  }

  #set(name: string, type: CelType): void {
    this.#trail.push([name, this.#substitutes.get(name)]);
    this.#substitutes.set(name, type);
  }
}

/** Of two types that go together, the one that says less. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

function isEqualOrLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'type':
      return true;
    case 'opaque':
    case 'list':
    case 'map':
      return (
        a.name === b.name &&
        a.parameters.length === b.parameters.length &&
        a.parameters.every((part, at) => isEqualOrLessSpecific(part, b.parameters[at]!))
      );
    default:
      return a.isSame(b);
  }
}
