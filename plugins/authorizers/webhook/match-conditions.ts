import type {Expression, ExpressionBudget, Expressions, ExpressionScope, FeatureGates, JsonObject} from '../../../sdk/index.js';

/** Steps that all conditions about one request may take. */
const steps = 1_000_000;

const text = {type: 'string'};
const texts = {type: 'array', items: text};
const object = (properties: Readonly<Record<string, object>>) => ({type: 'object', properties});
const selector = object({rawSelector: text, requirements: {type: 'array', items: object({key: text, operator: text, values: texts})}});

/** What conditions can refer to: `request`, the spec of a SubjectAccessReview of v1. */
export function conditionScope(expressions: Expressions, gates: FeatureGates): Promise<ExpressionScope> {
  const selectors: Readonly<Record<string, object>> = gates.enabled('AuthorizeWithSelectors')
    ? {fieldSelector: selector, labelSelector: selector}
    : {};
  const names = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'];
  return expressions.scope({
    request: object({
      resourceAttributes: object({...Object.fromEntries(names.map((name) => [name, text])), ...selectors}),
      nonResourceAttributes: object({path: text, verb: text}),
      user: text,
      groups: texts,
      extra: {type: 'object', additionalProperties: texts},
      uid: text,
    }),
  });
}

/** Whether a service is to be asked; the error if that cannot be said. */
export type MatchResult = {readonly matches: boolean} | {readonly error: string};

/** The conditions of one webhook. */
export class MatchConditions {
  readonly #scope: ExpressionScope;
  readonly #conditions: readonly Expression[];

  /** @throws ExpressionError for a text that is no condition */
  constructor(scope: ExpressionScope, conditions: readonly string[]) {
    this.#scope = scope;
    this.#conditions = conditions.map((condition) => scope.compile(condition, 'bool'));
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** A condition that is false decides, whatever errors others have. @param request the spec of the review, with all of its texts */
  evaluate(request: JsonObject): MatchResult {
    const budget: ExpressionBudget = {left: steps};
    const values = this.#scope.bind({request});
    const errors: string[] = [];
    for (const condition of this.#conditions) {
      try {
        if (condition.evaluate(values, budget) !== true) return {matches: false};
      } catch (error) {
        errors.push(`cel evaluation error: expression '${condition.text}' resulted in error: ${(error as Error).message}`);
      }
    }
    if (errors.length === 0) return {matches: true};
    return {error: errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`};
  }
}
