import {ExpressionError, ExpressionPending, type Expression, type ExpressionValues} from '../../../sdk/index.js';
import type {Variable} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {errorText, OutOfBudget, type Evaluation} from './evaluation.js';
import type {PolicyScopes, VariableTypes} from './policy-scopes.js';

/** How deep variables may refer to one another until they are evaluated one after the other. */
const maximumDepth = 20;
/** Steps that variables take within the evaluation of another expression until others get their turn. */
const stepsAtOnce = 1_000_000;

interface Definition {
  readonly text: string;
  readonly compiled: Expression | ExpressionError;
}

/** The variables of a policy, compiled in their order: each may use those before it. */
export class PolicyVariables {
  readonly #given: readonly Variable[];
  readonly #scopes: PolicyScopes;
  readonly #hasParams: boolean;
  #compiled: ReadonlyMap<string, Definition> | undefined;
  #types: VariableTypes = {};

  constructor(given: readonly Variable[], scopes: PolicyScopes, hasParams: boolean) {
    this.#given = given;
    this.#scopes = scopes;
    this.#hasParams = hasParams;
  }

  /** Of a variable that does not compile nothing is known. */
  get types(): VariableTypes {
    this.#compile();
    return this.#types;
  }

  get(name: string): Definition | undefined {
    return this.#compile().get(name);
  }

  get names(): readonly string[] {
    return this.#given.map(({name}) => name ?? '');
  }

  get texts(): readonly string[] {
    return this.#given.map(({expression}) => expression ?? '');
  }

  #compile(): ReadonlyMap<string, Definition> {
    if (this.#compiled) return this.#compiled;
    const made = new Map<string, Definition>();
    const types: Record<string, string> = {};
    for (const {name = '', expression: text = ''} of this.#given) {
      const compiled = this.#scopes.compile(text, 'any', {hasParams: this.#hasParams, hasAuthorizer: true, variables: types});
      made.set(name, {text, compiled});
      types[name] = ExpressionError.is(compiled) ? 'dyn' : compiled.resultType;
    }
    this.#types = types;
    return (this.#compiled = made);
  }
}

type Known = {readonly value: unknown} | {readonly error: Error};

/** What the variables of a policy evaluate to for one request: each when an expression reads it, and once. */
export class VariableValues {
  /** The values of the request, with `variables`. */
  readonly values: ExpressionValues;
  readonly #variables: PolicyVariables;
  readonly #evaluation: Evaluation;
  readonly #known = new Map<string, Known>();
  #depth = 0;
  /** What was left of the budget when others had their turn last. */
  #leftAtTurn: number;

  constructor(variables: PolicyVariables, values: ExpressionValues, evaluation: Evaluation) {
    this.#variables = variables;
    this.#evaluation = evaluation;
    this.#leftAtTurn = evaluation.left;
    const results = Object.fromEntries(variables.names.map((name) => [name, () => this.#read(name)]));
    this.values = variables.names.length === 0 ? values : values.withResults('variables', results);
  }

  /** @throws what keeps it from being evaluated; ExpressionPending when that has to wait for something */
  #read(name: string): unknown {
    const known = this.#known.get(name);
    if (known) return resultOf(known);
    const {compiled} = this.#variables.get(name)!;
    if (ExpressionError.is(compiled))
      return resultOf(
        this.#note(name, {error: new Error(`composited variable ${JSON.stringify(name)} fails to compile: ${compiled.message}`)}),
      );
    if (this.#depth >= maximumDepth || this.#leftAtTurn - this.#evaluation.left > stepsAtOnce)
      throw new ExpressionPending(() => this.#evaluateAlone(name, compiled));
    this.#depth += 1;
    try {
      return resultOf(
        this.#note(
          name,
          this.#outcome(name, () => this.#evaluation.resultNow(compiled, this.values)),
        ),
      );
    } finally {
      this.#depth -= 1;
    }
  }

  async #evaluateAlone(name: string, compiled: Expression): Promise<void> {
    // The evaluation that needs it has ended, and what called it too.
    await Promise.resolve();
    this.#depth = 0;
    this.#leftAtTurn = this.#evaluation.left;
    let outcome: Known;
    try {
      outcome = {value: await this.#evaluation.result(compiled, this.values)};
    } catch (error) {
      outcome = this.#outcome(name, () => {
        throw error;
      });
    }
    this.#note(name, outcome);
    this.#leftAtTurn = this.#evaluation.left;
  }

  #outcome(name: string, evaluate: () => unknown): Known {
    try {
      return {value: evaluate()};
    } catch (error) {
      if (error instanceof OutOfBudget) return {error};
      if (!ExpressionError.is(error)) throw error;
      return {error: new Error(`composited variable ${JSON.stringify(name)} fails to evaluate: ${errorText(error)}`)};
    }
  }

  #note(name: string, known: Known): Known {
    this.#known.set(name, known);
    return known;
  }
}

function resultOf(known: Known): unknown {
  if ('error' in known) throw known.error;
  return known.value;
}
