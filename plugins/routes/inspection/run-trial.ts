import {
  ExpressionError,
  ExpressionPending,
  jsonText,
  type AccessReviewer,
  type Expression,
  type Expressions,
  type ExpressionType,
  type JsonValue,
  type NamingProfile,
  type ServedSchemas,
  type Task,
  type UserInfo,
} from '../../../sdk/index.js';
import {errorText, Evaluation, OutOfBudget} from '../../families/admission-policies/evaluation.js';
import * as bounds from './bounds.js';
import {policyEnvironment, ruleEnvironment, type TrialEnvironment} from './trial-environment.js';
import type {Trial, TrialExpression} from './trial-request.js';
import {trialAuthorizer} from './trial-rights.js';

/** What became of an expression. */
export interface TrialOutcome {
  readonly field: string;
  readonly expression: string;
  /** The CEL type that it evaluates to. */
  readonly type?: string;
  /** Why it does not compile, or does not fit the type of the object: each fault with its line and a mark below it. */
  readonly typeError?: string;
  readonly result?: JsonValue;
  /** Why it has no result. */
  readonly error?: string;
  /** Steps that it took of the budget. */
  readonly cost?: number;
  /** What it costs at most by the sizes that the schema allows, in Kubernetes' units. */
  readonly maximumCost?: number;
}

export interface TrialParts {
  readonly expressions: Expressions;
  readonly schemas: ServedSchemas;
  readonly access: AccessReviewer;
  readonly naming: NamingProfile;
  readonly user: UserInfo;
  readonly task: Task;
  readonly signal: AbortSignal;
}

const types: Readonly<Record<TrialExpression['type'], ExpressionType>> = {
  bool: ['bool'],
  string: ['string'],
  stringOrNull: ['string', 'null'],
  any: 'any',
};

/** Compiles and evaluates expressions by the server's own engine, as admission and validation do, within one budget. Nothing of the server is read but the schema of the type. */
export class TrialRun {
  readonly #trial: Trial;
  readonly #parts: TrialParts;
  readonly #evaluation: Evaluation;

  constructor(trial: Trial, parts: TrialParts) {
    this.#trial = trial;
    this.#parts = parts;
    this.#evaluation = new Evaluation(bounds.trialSteps, {task: parts.task, signal: parts.signal});
  }

  async run(): Promise<TrialOutcome[]> {
    const environment = await this.#environment();
    const outcomes: TrialOutcome[] = [];
    const variables = this.#trial.variables.map(({expression}, index): TrialExpression => ({
      field: `variables[${index}].expression`,
      text: expression,
      type: 'any',
    }));
    for (const each of [...variables, ...this.#trial.expressions]) outcomes.push(await this.#outcome(each, environment));
    return outcomes;
  }

  #environment(): Promise<TrialEnvironment> {
    const {expressions, schemas, access, user, naming} = this.#parts;
    if (this.#trial.kind === 'rule') return ruleEnvironment(this.#trial, expressions, schemas);
    const authorizer = trialAuthorizer(access, user, naming.group('authorization.orch'), this.#trial);
    return policyEnvironment(this.#trial, expressions, schemas, authorizer, this.#evaluation);
  }

  async #outcome({field, text, type: wanted}: TrialExpression, environment: TrialEnvironment): Promise<TrialOutcome> {
    const outcome = {field, expression: text};
    // Compiling takes time, too.
    const waiting = this.#parts.task.yieldIfDue();
    if (waiting) await waiting;
    const expression = environment.compile(text, types[wanted]);
    if (ExpressionError.is(expression)) return {...outcome, typeError: cut(expression.message)};
    const problem = environment.typeError(text);
    const {resultType: type, maximumCost} = expression;
    const facts = {
      ...outcome,
      type,
      ...(problem ? {typeError: cut(problem.message)} : {}),
      ...(environment.isTyped && Number.isFinite(maximumCost) ? {maximumCost} : {}),
    };
    const idle = environment.idle(text);
    if (idle !== undefined) return {...facts, error: idle};
    const {left} = this.#evaluation;
    const costNow = () => Math.ceil(left - Math.max(0, this.#evaluation.left));
    try {
      const result = await this.#evaluation.result(expression, environment.values);
      return {...facts, cost: costNow(), ...this.#shown(result, text, environment)};
    } catch (error) {
      if (ExpressionError.is(error)) return {...facts, cost: costNow(), error: cut(errorText(error))};
      if (error instanceof OutOfBudget) return {...facts, cost: costNow(), error: error.message};
      throw error;
    }
  }

  /** A result as JSON: what is no text, number or truth is evaluated once more, as a part of a patch, which is JSON. */
  #shown(result: unknown, text: string, environment: TrialEnvironment): Pick<TrialOutcome, 'result' | 'error'> {
    if (typeof result === 'bigint') return {result: String(result)};
    if (result === null || typeof result === 'boolean' || typeof result === 'number') return {result};
    if (typeof result === 'string') return {result: result.slice(0, bounds.trialResult)};
    // The line break ends a comment.
    const patch = environment.compile(`[JSONPatch{op: "add", path: "/", value: (${text}\n)}]`, 'jsonPatch');
    return ExpressionError.is(patch) ? {} : this.#patched(patch, environment);
  }

  #patched(patch: Expression, {values}: TrialEnvironment): Pick<TrialOutcome, 'result'> {
    try {
      const [{value}] = this.#evaluation.resultNow(patch, values) as [{value: JsonValue}];
      return {result: jsonText(value).length > bounds.trialResult ? 'a value that is too long to be shown' : value};
    } catch (error) {
      if (ExpressionError.is(error) || ExpressionPending.is(error) || error instanceof OutOfBudget) return {};
      throw error;
    }
  }
}

/** What is left is a copy, so that the whole of it is not kept until all are answered. */
function cut(text: string): string {
  return text.length <= bounds.trialFault ? text : `${Buffer.from(text.slice(0, bounds.trialFault)).toString()} …`;
}
