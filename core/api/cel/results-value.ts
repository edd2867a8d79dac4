import {ExpressionPending} from '../../../sdk/index.js';
import {meter} from './cost-meter.js';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  stringType,
  timestampType,
  uintType,
  type CelType,
} from './types/cel-type.js';
import {StructType} from './types/struct-type.js';
import {Fault} from './values/fault.js';

type Results = Readonly<Record<string, () => unknown>>;

/** What other expressions evaluate to, by name: each is evaluated when an expression reads it. */
export class ResultsValue extends Map<string, unknown> {
  readonly #results: Results;

  constructor(results: Results) {
    super();
    this.#results = results;
  }

  override get(name: string): unknown {
    if (!Object.hasOwn(this.#results, name)) return undefined;
    try {
      return this.#results[name]!();
    } catch (error) {
      if (ExpressionPending.is(error)) meter.suspend(error);
      return new Fault((error as Error).message);
    }
  }

  override has(name: string): boolean {
    return Object.hasOwn(this.#results, name);
  }
}

/** The type of results with these members. @param members their types, as texts */
export function resultsType(name: string, members: Readonly<Record<string, string>>): CelType {
  const types = new Map(Object.entries(members).map(([member, text]) => [member, resultType(text)]));
  return new StructType(`results.${name}`, (member) => types.get(member));
}

const plain: ReadonlyMap<string, CelType> = new Map(
  [boolType, bytesType, doubleType, intType, nullType, stringType, uintType, durationType, timestampType].map((type) => [
    type.toString(),
    type,
  ]),
);

/** The type that the result of an expression has for others: types of objects are not known to them (as in Kubernetes). */
function resultType(text: string): CelType {
  const items = /^list\((.+)\)$/.exec(text)?.[1];
  if (items !== undefined) return listOf(resultType(items));
  // Keys are plain.
  const [, key, values] = /^map\((\w+), (.+)\)$/.exec(text) ?? [];
  return key !== undefined && values !== undefined ? mapOf(resultType(key), resultType(values)) : (plain.get(text) ?? dynType);
}
