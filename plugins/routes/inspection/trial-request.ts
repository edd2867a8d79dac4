import {badRequest, isJsonObject, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import * as bounds from './bounds.js';

/** An expression and where it stands: `validations[0].expression`. */
export interface TrialExpression {
  readonly field: string;
  readonly text: string;
  /** What it has to evaluate to. */
  readonly type: 'bool' | 'string' | 'stringOrNull' | 'any';
}

/** What is to be tried on which object. */
export interface Trial {
  /** An expression and a policy have what policies have; a rule has what rules of a schema have: `self` and `oldSelf`. */
  readonly kind: 'expression' | 'policy' | 'rule';
  /** Of the object. */
  readonly type: {readonly group: string; readonly version: string; readonly resource: string} | undefined;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly params: JsonObject | undefined;
  readonly namespaceObject: JsonObject | undefined;
  /** Where in the object the schema has the rule: names of members. */
  readonly path: readonly string[];
  /** Of a policy, in order; each may use those before it. */
  readonly variables: readonly {readonly name: string; readonly expression: string}[];
  /** In the order in which they are evaluated. */
  readonly expressions: readonly TrialExpression[];
}

type Texts = Pick<Trial, 'path' | 'variables' | 'expressions'>;

const operations = ['CREATE', 'UPDATE', 'DELETE'] as const;
const common = ['kind', 'type', 'object', 'oldObject'];
const ofRequest = [...common, 'operation', 'params', 'namespaceObject'];
const members = {
  expression: [...ofRequest, 'expression'],
  policy: [...ofRequest, 'spec'],
  rule: [...common, 'path', 'rule', 'messageExpression'],
} as const;
const readers: Readonly<Record<Trial['kind'], (body: JsonObject) => Texts>> = {
  expression: ({expression}) => ({
    ...nothing,
    expressions: [{field: 'expression', text: textOf(expression, 'expression'), type: 'any'}],
  }),
  policy: (body) => ofPolicy(objectOf(body, 'spec') ?? {}),
  rule: ofRule,
};
const nothing: Texts = {path: [], variables: [], expressions: []};

/** @throws StatusError 400 for whatever it does not know */
export function readTrial(body: JsonObject): Trial {
  const kind = (['expression', 'policy', 'rule'] as const).find((each) => each === body['kind']);
  if (!kind) throw badRequest('kind has to be expression, policy or rule');
  for (const member of Object.keys(body))
    if (!members[kind].includes(member)) throw badRequest(`the body has the unknown member ${JSON.stringify(member.slice(0, 100))}`);
  const object = objectOf(body, 'object');
  const oldObject = objectOf(body, 'oldObject');
  const given = body['operation'] ?? (oldObject ? (object ? 'UPDATE' : 'DELETE') : 'CREATE');
  const operation = operations.find((each) => each === given);
  if (!operation) throw badRequest(`operation has to be one of ${operations.join(', ')}`);
  const texts = readers[kind](body);
  if (texts.variables.length + texts.expressions.length > bounds.trialExpressions)
    throw badRequest(`there are more than ${bounds.trialExpressions} expressions`);
  const characters = [...texts.variables.map(({expression}) => expression), ...texts.expressions.map(({text}) => text)].join('').length;
  if (characters > bounds.trialTexts) throw badRequest(`the expressions have more than ${bounds.trialTexts} characters together`);
  const [params, namespaceObject] = [objectOf(body, 'params'), objectOf(body, 'namespaceObject')];
  return {kind, type: typeOf(body), operation, object, oldObject, params, namespaceObject, ...texts};
}

function ofPolicy(spec: JsonObject): Texts {
  const conditions = itemsOf(spec, 'matchConditions').map((condition, index): TrialExpression => ({
    field: `matchConditions[${index}].expression`,
    text: textOf(condition['expression'], `spec.matchConditions[${index}].expression`),
    type: 'bool',
  }));
  const validations = itemsOf(spec, 'validations').flatMap((validation, index): TrialExpression[] => {
    const field = `validations[${index}]`;
    const message = textOf(validation['messageExpression'] ?? '', `spec.${field}.messageExpression`);
    return [
      {field: `${field}.expression`, text: textOf(validation['expression'], `spec.${field}.expression`), type: 'bool'},
      ...(message === '' ? [] : [{field: `${field}.messageExpression`, text: message, type: 'string'} as const]),
    ];
  });
  const annotations = itemsOf(spec, 'auditAnnotations').map((annotation, index): TrialExpression => ({
    field: `auditAnnotations[${index}].valueExpression`,
    text: textOf(annotation['valueExpression'], `spec.auditAnnotations[${index}].valueExpression`),
    type: 'stringOrNull',
  }));
  const variables = itemsOf(spec, 'variables').map((variable, index) => ({
    name: nameOf(variable['name'], index),
    expression: textOf(variable['expression'], `spec.variables[${index}].expression`),
  }));
  return {path: [], variables, expressions: [...conditions, ...validations, ...annotations]};
}

function ofRule(body: JsonObject): Texts {
  const message = textOf(body['messageExpression'] ?? '', 'messageExpression');
  const path = body['path'] ?? [];
  if (!Array.isArray(path) || path.length > bounds.bodyDepth) throw badRequest('path has to be a list of names');
  return {
    path: path.map((name) => textOf(name, 'path')),
    variables: [],
    expressions: [
      {field: 'rule', text: textOf(body['rule'], 'rule'), type: 'bool'},
      ...(message === '' ? [] : [{field: 'messageExpression', text: message, type: 'string'} as const]),
    ],
  };
}

function typeOf(body: JsonObject): Trial['type'] {
  const type = objectOf(body, 'type');
  if (!type) return undefined;
  const {group = '', version = '', resource = ''} = type;
  return {group: textOf(group, 'type.group'), version: textOf(version, 'type.version'), resource: textOf(resource, 'type.resource')};
}

function objectOf(body: JsonObject, member: string): JsonObject | undefined {
  const value = body[member];
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw badRequest(`${member} has to be an object`);
  return value;
}

function itemsOf(spec: JsonObject, member: string): JsonObject[] {
  const value = spec[member] ?? [];
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw badRequest(`spec.${member} has to be a list of objects`);
  return value;
}

function textOf(value: JsonValue | undefined, field: string): string {
  if (typeof value !== 'string') throw badRequest(`${field} has to be a text`);
  if (value.length > bounds.trialText) throw badRequest(`${field} is longer than ${bounds.trialText} characters`);
  return value;
}

function nameOf(value: JsonValue | undefined, index: number): string {
  const name = textOf(value, `spec.variables[${index}].name`);
  if (!/^[A-Za-z_]\w{0,62}$/.test(name)) throw badRequest(`spec.variables[${index}].name is no name of a variable`);
  return name;
}
