import fc from 'fast-check';
import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {atomic, atomicList, mapList, mapOf, number, setList, struct, text} from './story.js';

/** A schema with an arbitrary for its values. Values are few, so that writers meet. */
interface RandomType {
  readonly schema: JsonSchema;
  readonly values: fc.Arbitrary<JsonValue>;
}

const word = fc.constantFrom('x', 'y', 'z');
const texts: RandomType = {schema: text, values: word};
const numbers: RandomType = {schema: number, values: fc.constantFrom(0, 1, 9_007_199_254_740_991)};
const sets: RandomType = {schema: setList(text), values: fc.uniqueArray(word)};
const atomicLists: RandomType = {schema: atomicList(text), values: fc.array(word, {maxLength: 2})};
const unknown: RandomType = {
  schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  values: fc.dictionary(word, fc.oneof(word, fc.array(word, {maxLength: 2}), fc.dictionary(word, word, {maxKeys: 2})), {maxKeys: 2}),
};
const scalar = fc.constantFrom(texts, numbers);

function types(depth: number): fc.Arbitrary<RandomType> {
  if (depth === 0) return fc.constantFrom(texts, numbers, sets, atomicLists);
  const inner = types(depth - 1);
  return fc.oneof(
    {weight: 2, arbitrary: fc.constantFrom(texts, sets, atomicLists, unknown)},
    {weight: 2, arbitrary: inner.chain((values) => fc.constantFrom<RandomType>(maps(values, {}), maps(values, atomic)))},
    {weight: 3, arbitrary: fields(inner).map((members) => structures(members, {}))},
    {weight: 1, arbitrary: fields(inner).map((members) => structures(members, atomic))},
    {weight: 3, arbitrary: fields(inner).map(lists)},
  );
}

function fields(inner: fc.Arbitrary<RandomType>): fc.Arbitrary<Record<string, RandomType>> {
  return fc.record({a: inner, b: scalar, c: inner}, {requiredKeys: ['b']}) as fc.Arbitrary<Record<string, RandomType>>;
}

function maps({schema, values}: RandomType, mark: JsonSchema): RandomType {
  return {schema: mapOf(schema, mark), values: fc.dictionary(fc.constantFrom('k', 'l', '__proto__'), values, {maxKeys: 2})};
}

function structures(members: Record<string, RandomType>, mark: JsonSchema): RandomType {
  const schemas = Object.fromEntries(Object.entries(members).map(([name, {schema}]) => [name, schema]));
  const values = Object.fromEntries(Object.entries(members).map(([name, type]) => [name, type.values]));
  return {schema: struct(schemas, mark), values: fc.record(values, {requiredKeys: []}) as fc.Arbitrary<JsonValue>};
}

/** Items with a required and a defaulted key. */
function lists(members: Record<string, RandomType>): RandomType {
  const {schema, values} = structures(members, {});
  const items = {...schema, properties: {...schema.properties, id: number, kind: {...text, default: 'x'}}};
  const item = fc
    .tuple(values, fc.constantFrom(1, 2, 3), fc.option(word, {nil: undefined}))
    .map(([rest, id, kind]): JsonObject => ({...(rest as JsonObject), id, ...(kind === undefined ? {} : {kind})}));
  const keyOf = ({id, kind}: JsonObject) => JSON.stringify([id, kind ?? 'x']);
  return {schema: mapList(['id', 'kind'], items), values: fc.uniqueArray(item, {maxLength: 3, selector: keyOf})};
}

/** A type of objects with five fields, and its objects. */
export interface ObjectType {
  readonly schema: JsonSchema;
  readonly objects: fc.Arbitrary<JsonObject>;
}

export const objectTypes: fc.Arbitrary<ObjectType> = fc
  .record({p: types(2), q: types(2), r: types(1), s: types(1), t: scalar})
  .map((members) => structures(members, {}))
  .map(({schema, values}) => ({schema, objects: values as fc.Arbitrary<JsonObject>}));
