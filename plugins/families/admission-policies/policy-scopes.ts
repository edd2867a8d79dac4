import {
  ExpressionError,
  type Expression,
  type ExpressionAuthorizer,
  type Expressions,
  type ExpressionScope,
  type ExpressionType,
  type ExpressionValues,
  type JsonValue,
} from '../../../sdk/index.js';
import {namespaceSchema} from './namespace-variable.js';
import {requestSchema} from './request-variable.js';

/** Scopes that are kept: one for each set of variables with their types that expressions refer to. */
const keptScopes = 200;

/** The types of the variables of a policy, by name. */
export type VariableTypes = Readonly<Record<string, string>>;

/** What an expression may refer to beyond `object`, `oldObject`, `request` and `namespaceObject`. */
export interface ExpressionPlace {
  /** `params`. */
  readonly hasParams: boolean;
  /** `authorizer`. */
  readonly hasAuthorizer: boolean;
  /** `variables`; undefined where there is no such thing. */
  readonly variables?: VariableTypes | undefined;
}

/** Schemas of what expressions are about; left out where it may have any form. */
export interface ScopeTypes {
  readonly object?: Readonly<Record<string, unknown>> | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** What the expressions of policies and match conditions can refer to. Values are bound once for all of them. */
export class PolicyScopes {
  readonly #base: ExpressionScope;
  readonly #hasTypedParams: boolean;
  readonly #extended = new Map<string, ExpressionScope>();

  private constructor(base: ExpressionScope, hasTypedParams: boolean) {
    this.#base = base;
    this.#hasTypedParams = hasTypedParams;
  }

  /** @param types of objects and params, if expressions are to be checked against them */
  static async load(expressions: Expressions, {object, params}: ScopeTypes = {}): Promise<PolicyScopes> {
    const scope = await expressions.scope({
      object,
      oldObject: object,
      request: requestSchema,
      namespaceObject: namespaceSchema,
      ...(params ? {params} : {}),
    });
    return new PolicyScopes(scope, params !== undefined);
  }

  /** Returns the problem if an expression does not compile. */
  compile(text: string, type: ExpressionType, place: ExpressionPlace): Expression | ExpressionError {
    try {
      return this.#scope(place, text).compile(text, type);
    } catch (error) {
      if (ExpressionError.is(error)) return error;
      throw error;
    }
  }

  bind(values: Readonly<Record<string, JsonValue | undefined>>, authorizer: () => ExpressionAuthorizer): ExpressionValues {
    return this.#base.bind(values, authorizer);
  }

  #scope({hasParams, hasAuthorizer, variables}: ExpressionPlace, text: string): ExpressionScope {
    const used = variables && usedTypes(variables, text);
    const key = JSON.stringify([hasParams, hasAuthorizer, used]);
    const known = this.#extended.get(key);
    if (known) return known;
    const made = this.#base.extend({
      variables: hasParams && !this.#hasTypedParams ? ['params'] : [],
      authorizer: hasAuthorizer,
      ...(used ? {results: {variables: used}} : {}),
    });
    if (this.#extended.size >= keptScopes) this.#extended.delete(this.#extended.keys().next().value!);
    this.#extended.set(key, made);
    return made;
  }
}

/** The types of those variables that a text names: a policy may have very many. */
function usedTypes(variables: VariableTypes, text: string): VariableTypes {
  const used: Record<string, string> = {};
  for (const name of variableNames(text)) if (Object.hasOwn(variables, name)) used[name] = variables[name]!;
  return used;
}

/** The variables that an expression names; some more if it has such words in texts. Sorted. */
export function variableNames(text: string): readonly string[] {
  const names = new Set<string>();
  for (const [, name] of text.matchAll(/\bvariables\s*\.\s*\??\s*(\w+)/g)) names.add(name!);
  return [...names].sort();
}
