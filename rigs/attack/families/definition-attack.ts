import type {Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {fillWith} from './body-attack.js';

export const definitionsPath = '/apis/apiextensions.orch/v1/customresourcedefinitions';
type Schema = Readonly<Record<string, unknown>>;

/** The group of an attack: definitions of one must not meet those of another. */
export const groupOf = (attacker: Attacker) => `${attacker.namespace}.example`;

export function definition(
  attacker: Attacker,
  plural: string,
  schema: Schema | undefined,
  more: object = {},
  versionMore: object = {},
): object {
  const group = groupOf(attacker);
  const kind = plural[0]!.toUpperCase() + plural.slice(1);
  const version = {name: 'v1', served: true, storage: true, ...(schema ? {schema: {openAPIV3Schema: schema}} : {}), ...versionMore};
  return {
    metadata: {name: `${plural}.${group}`},
    spec: {group, scope: 'Namespaced', names: {plural, kind}, versions: [version], ...more},
  };
}

export const withSpec = (spec: Schema): Schema => ({type: 'object', properties: {spec}});
export const text: Schema = {type: 'string'};
export const properties = (count: number, schema: Schema) =>
  Object.fromEntries(Array.from({length: count}, (_, number) => [`p${number}`, schema]));

export function nested(depth: number, wrap: (inner: Schema) => Schema, inner: Schema = text): Schema {
  let schema = inner;
  for (let level = 0; level < depth; level++) schema = wrap(schema);
  return schema;
}

/** Without it, rules are accepted and dropped. */
const rulesOn = ['--feature-gates', 'CustomResourceValidationExpressions=true'];
const settled: Attack['outcomes'] = [201, 400, 409, 413, 422];

/** A definition that is too much, sent by somebody who may create definitions. */
export const sent = (name: string, make: (attacker: Attacker) => object, outcomes = settled, leavesMegabytes = 30): Attack => ({
  name,
  outcomes,
  seconds: 3,
  leavesMegabytes,
  flags: rulesOn,
  run: async (attacker) => {
    const body = JSON.stringify(make(attacker));
    await attacker.repeat(3, 1, async () => {
      await attacker.call('POST', definitionsPath, {user: 'builder', body});
      await attacker.call('GET', `/apis/${groupOf(attacker)}/v1/namespaces/${attacker.namespace}/things`, {user: 'builder'});
      await attacker.call('GET', `/openapi/v3/apis/${groupOf(attacker)}/v1`, {user: 'builder'});
    });
  },
});

/** A definition that is there, and objects of it that are too much. */
export const objectsOf = (
  name: string,
  schema: Schema,
  object: () => string,
  more: Partial<Attack> & {times?: number; versionMore?: object} = {},
): Attack => ({
  name,
  outcomes: [201, 413, 422],
  seconds: 3,
  leavesMegabytes: 20,
  flags: rulesOn,
  prepare: async (attacker) => {
    await attacker.make(definitionsPath, definition(attacker, 'things', schema, {}, more.versionMore));
    await established(attacker);
  },
  run: async (attacker) => {
    const body = Buffer.from(`{"apiVersion":"${groupOf(attacker)}/v1","kind":"Things",${object()}`);
    const path = `${attacker.path('things', `${groupOf(attacker)}/v1`)}?dryRun=All`;
    await attacker.repeat(more.times ?? 4, 2, () => attacker.call('POST', path, {user: 'builder', body}));
  },
  ...(more.outcomes ? {outcomes: more.outcomes} : {}),
});

export async function established(attacker: Attacker): Promise<void> {
  const path = attacker.path('things', `${groupOf(attacker)}/v1`);
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await attacker.look(path);
    if (answer === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the definition is not established');
}

export const thing = (spec: string) => `"metadata":{"generateName":"thing-"},"spec":${spec}}`;
export const list = (item: (number: number) => string, bytes?: number) => `[${fillWith(item, ',', bytes)}]`;
export const rule = (expression: string, schema: Schema) => ({...schema, 'x-kubernetes-validations': [{rule: expression}]});

export const defaulted = nested(3, (inner) => ({type: 'object', default: {}, properties: properties(10, inner)}), {
  type: 'string',
  default: 'x'.repeat(20),
});
