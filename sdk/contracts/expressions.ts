import type {JsonValue} from '../objects/api-object.js';
import type {ReadSelectors} from './access-reviewer.js';
import type {AuthorizationAttributes, AuthorizationDecision} from './authorizer.js';
import type {UserInfo} from './user.js';

/**
 * Expressions in the Common Expression Language (CEL), with the functions of the served release of Kubernetes. Injected by `Tokens.Expressions`.
 * What evaluates them is loaded at first use.
 */
export interface Expressions {
  /**
   * Declares what expressions can refer to.
   *
   * @param variables structural schemas of the variables, by name. Undefined: values of any form, whose members are looked up during
   * evaluation. `x-orch-expression-type` in a schema is the CEL type of a value that JSON has no type for
   */
  scope(
    variables: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>,
    options?: ExpressionScopeOptions,
  ): Promise<ExpressionScope>;
}

/** What the expressions of a scope have beyond those of other scopes. */
export interface ExpressionScopeOptions {
  /** Libraries that they have in all releases: `cel.bind(name, value, expression)`, versions, and `includes` of the attributes of devices. */
  readonly libraries?: readonly ('bindings' | 'includes' | 'semver')[];
}

/** What expressions can refer to beyond the variables of a scope. */
export interface ExpressionScopeAdditions {
  /** Variables of any form. */
  readonly variables?: readonly string[];
  /** Whether they can ask what users may do: the variable `authorizer`, with the functions of Kubernetes' authorization library. */
  readonly authorizer?: boolean;
  /** Variables whose members are what other expressions evaluate to: by name, the types of the members by name, as `resultType` has them. */
  readonly results?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * The type that an expression must evaluate to. Those of mutations construct what they evaluate to: `Object{…}` for an apply configuration,
 * `[JSONPatch{…}]` for a JSON patch; it is given as JSON. A list: it has to be known before the evaluation that it is one of these.
 */
export type ExpressionType = 'bool' | 'string' | 'any' | 'applyConfiguration' | 'jsonPatch' | readonly ('bool' | 'string' | 'null')[];

/** What expressions can refer to. */
export interface ExpressionScope {
  /**
   * Compiles an expression and checks its types.
   *
   * @throws ExpressionError (`Invalid`) that says what is wrong with it
   */
  compile(text: string, type: ExpressionType): Expression;
  /** A scope with more in it. What this one binds are values of that one, too. */
  extend(additions: ExpressionScopeAdditions): ExpressionScope;
  /**
   * Assigns values to the variables. They are converted for expressions once, on first use: bind once for all expressions about the same
   * values. The values must not change afterwards.
   *
   * @param values by name; undefined counts as null
   * @param authorizer makes whom expressions ask that refer to `authorizer`, when the first does
   */
  bind(values: Readonly<Record<string, JsonValue | undefined>>, authorizer?: () => ExpressionAuthorizer): ExpressionValues;
}

/** Answers what expressions ask about a request. Answers are kept for as long as it lives, so that each question is asked once. */
export interface ExpressionAuthorizer {
  readonly user: UserInfo;
  /** What `authorizer.requestResource` is about; the group as it is served. */
  readonly requestResource: Pick<AuthorizationAttributes, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>;
  /** Whether a single expression can make two checks and no more, as in Kubernetes from 1.32 on (350,000 steps each); otherwise a hundred. True by default. */
  readonly areChecksDear?: boolean;
  authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision>;
  /** Selectors as `authorize` takes them. What is no selector is left out. */
  readSelectors(fieldSelector: string, labelSelector: string): ReadSelectors;
}

declare const bound: unique symbol;

/** Values of the variables of a scope. */
export interface ExpressionValues {
  readonly [bound]: true;
  /** The same values except for the given ones. */
  with(values: Readonly<Record<string, JsonValue | undefined>>): ExpressionValues;
  /**
   * The same values, and one whose members are what expressions evaluate to.
   *
   * @param results called when an expression reads the member, as often as it does. It may evaluate another expression; what it throws is why the member
   * cannot be read
   */
  withResults(name: string, results: Readonly<Record<string, () => unknown>>): ExpressionValues;
}

/** A compiled expression. */
export interface Expression {
  readonly text: string;
  /** The CEL type that it evaluates to (`bool`, `list(string)`); `dyn` if that is known only then. */
  readonly resultType: string;
  /** What one evaluation costs at most by the sizes that the schemas of the variables allow, in Kubernetes' units. */
  readonly maximumCost: number;
  /**
   * @param values of the same scope
   * @param budget for all related evaluations together; each may use at most 1,000,000 steps, and 40 ms of processor time
   * @returns a boolean, a string or JSON if the expression was compiled for it. A string may contain lone surrogates
   * @throws ExpressionError (`Failed`, `CostExceeded`)
   * @throws ExpressionPending if something has to be waited for: evaluate it again then. Nothing has been taken from the budget
   */
  evaluate(values: ExpressionValues, budget: ExpressionBudget): unknown;
}

/** Steps that evaluations may still take; a step is 10 to 30 ns. Admission gives 10,000,000 to all expressions about one request. */
export interface ExpressionBudget {
  left: number;
}
