import type {Environment} from '@marcbachmann/cel-js';
import {ExpressionPending} from '../../../sdk/index.js';
import {meter} from './cost-meter.js';
import {resultType} from './type-text.js';

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
      throw error;
    }
  }

  override has(name: string): boolean {
    return Object.hasOwn(this.#results, name);
  }
}

/** Declares a type with these members; a scope may have several. @returns its name */
export function addResults(environment: Environment, members: Readonly<Record<string, string>>, index: number): string {
  const name = `results${index}`;
  const fields = Object.fromEntries(Object.entries(members).map(([member, type]) => [member, resultType(type)]));
  environment.registerType(name, {ctor: ResultsValue, fields});
  return name;
}
