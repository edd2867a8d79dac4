import {
  ExpressionError,
  isJsonObject,
  type Expression,
  type ExpressionAuthorizer,
  type Expressions,
  type ExpressionType,
  type ExpressionValues,
  type JsonObject,
  type JsonValue,
  type ServedSchemas,
  type UserInfo,
} from '../../../sdk/index.js';
import type {Evaluation} from '../../families/admission-policies/evaluation.js';
import {PolicyScopes} from '../../families/admission-policies/policy-scopes.js';
import {PolicyVariables, VariableValues} from '../../families/admission-policies/policy-variables.js';
import type {Trial} from './trial-request.js';

/** What the expressions of a trial can refer to. */
export interface TrialEnvironment {
  readonly values: ExpressionValues;
  /** Whether what an expression costs at most can be said: the sizes of everything are known. */
  readonly isTyped: boolean;
  compile(text: string, type: ExpressionType): Expression | ExpressionError;
  /** What the type of the object has against an expression that compiles. */
  typeError(text: string): ExpressionError | undefined;
  /** Why an expression is not evaluated. */
  idle(text: string): string | undefined;
}

/** What a rule of a schema has: the value at its place, before and after. */
export async function ruleEnvironment(
  {type, path, object, oldObject}: Trial,
  engine: Expressions,
  schemas: ServedSchemas,
): Promise<TrialEnvironment> {
  const schema = type && schemaAt(schemas.of(type), path);
  const scope = await engine.scope({self: schema, oldSelf: schema});
  const [self, oldSelf] = [valueAt(object, path), valueAt(oldObject, path)];
  return {
    values: scope.bind({self, oldSelf}),
    isTyped: schema !== undefined,
    compile: (text, wanted) => compiledOr(() => scope.compile(text, wanted)),
    typeError: () => undefined,
    idle: (text) => {
      if (self === undefined) return 'the object has nothing at this place: the rule is not evaluated';
      if (oldSelf === undefined && /\boldSelf\b/.test(text)) return 'there is nothing before: a rule with oldSelf is not evaluated';
      return undefined;
    },
  };
}

/** What the expressions of a policy have, which knows no types when it runs: that it fits one is another question. */
export async function policyEnvironment(
  trial: Trial,
  engine: Expressions,
  schemas: ServedSchemas,
  authorizer: ExpressionAuthorizer,
  evaluation: Evaluation,
): Promise<TrialEnvironment> {
  const schema = trial.type && schemas.of(trial.type);
  const scopes = await PolicyScopes.load(engine);
  const variables = new PolicyVariables(trial.variables, scopes, true);
  const typed = schema && (await PolicyScopes.load(engine, {object: schema}));
  const typedVariables = typed && new PolicyVariables(trial.variables, typed, true);
  const bound = scopes.bind(requestValues(trial, authorizer.user), () => authorizer).with({params: trial.params});
  const placeOf = ({types}: PolicyVariables) => ({hasParams: true, hasAuthorizer: true, variables: types});
  return {
    values: new VariableValues(variables, bound, evaluation).values,
    isTyped: false,
    compile: (text, wanted) => scopes.compile(text, wanted, placeOf(variables)),
    typeError: (text) => {
      const found = typedVariables && typed.compile(text, 'any', placeOf(typedVariables));
      return ExpressionError.is(found) ? found : undefined;
    },
    idle: () => undefined,
  };
}

function requestValues(trial: Trial, user: UserInfo): Readonly<Record<string, JsonValue | undefined>> {
  const {object, oldObject, namespaceObject, operation, type} = trial;
  const shown = object ?? oldObject ?? {};
  const {name, namespace} = isJsonObject(shown['metadata']) ? shown['metadata'] : {};
  const apiVersion = typeof shown['apiVersion'] === 'string' ? shown['apiVersion'] : '';
  const slash = apiVersion.indexOf('/');
  const kind: JsonObject = {
    group: apiVersion.slice(0, Math.max(0, slash)),
    version: apiVersion.slice(slash + 1),
    kind: typeof shown['kind'] === 'string' ? shown['kind'] : '',
  };
  const resource: JsonObject = {group: type?.group ?? '', version: type?.version ?? '', resource: type?.resource ?? ''};
  const {username, uid, groups, extra = {}} = user;
  const request: JsonObject = {
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    operation,
    dryRun: true,
    options: {},
    ...(typeof name === 'string' ? {name} : {}),
    ...(typeof namespace === 'string' ? {namespace} : {}),
    userInfo: {
      username,
      ...(uid === undefined ? {} : {uid}),
      groups: [...groups],
      extra: Object.fromEntries(Object.entries(extra).map(([key, entries]) => [key, [...entries]])),
    },
  };
  return {object, oldObject, namespaceObject, request};
}

type Schema = Readonly<Record<string, unknown>>;

/** The schema of a member; undefined if it says nothing of it. */
function schemaAt(schema: Schema | undefined, path: readonly string[]): Schema | undefined {
  let found = schema;
  for (const name of path) {
    const {properties, additionalProperties} = (found ?? {}) as {properties?: Record<string, Schema>; additionalProperties?: unknown};
    const own = properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    found = isJsonObject(own) ? own : undefined;
  }
  return found;
}

function valueAt(object: JsonObject | undefined, path: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = object;
  for (const name of path) found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found ?? undefined;
}

function compiledOr(compile: () => Expression): Expression | ExpressionError {
  try {
    return compile();
  } catch (error) {
    if (ExpressionError.is(error)) return error;
    throw error;
  }
}
