import AjvDraft04 from 'ajv-draft-04';
import fc from 'fast-check';
import test from 'ava';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {equalJson} from '../../../../sdk/values/equal-json.js';
import {specSchema, typedSchema} from './catalog-fixture.js';
import type {JsonObject} from '../../../../sdk/index.js';

const names = ['a', 'b', 'c', '__proto__', 'constructor'];

/** Random structural schemas; what `pattern` and `format` do has tests of its own. */
const {schema: anySchema} = fc.letrec<{schema: JsonSchema}>((tie) => ({
  schema: fc.oneof(
    {maxDepth: 4, depthSize: 'small'},
    fc.record(
      {
        type: fc.constant('string'),
        minLength: fc.nat(2),
        maxLength: fc.integer({min: 1, max: 4}),
        nullable: fc.boolean(),
        default: fc.constant('d'),
      },
      {requiredKeys: ['type']},
    ),
    fc.record(
      {
        type: fc.constant('integer'),
        minimum: fc.integer({min: -3, max: 1}),
        maximum: fc.integer({min: 0, max: 3}),
        exclusiveMaximum: fc.boolean(),
        default: fc.constant(1),
      },
      {requiredKeys: ['type', 'maximum']},
    ),
    fc.record({type: fc.constant('boolean'), nullable: fc.boolean()}, {requiredKeys: ['type']}),
    fc.record(
      {type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(1), maxItems: fc.integer({min: 1, max: 3})},
      {requiredKeys: ['type', 'items']},
    ),
    fc.record(
      {type: fc.constant('object'), additionalProperties: tie('schema'), maxProperties: fc.integer({min: 1, max: 3})},
      {requiredKeys: ['type', 'additionalProperties']},
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), {maxKeys: 4}),
        required: fc.uniqueArray(fc.constantFrom(...names), {minLength: 1, maxLength: 2}),
        anyOf: fc.constant([{required: ['a']}, {required: ['b']}]),
        not: fc.constant({required: ['c']}),
      },
      {requiredKeys: ['type', 'properties']},
    ),
  ) as fc.Arbitrary<JsonSchema>,
}));

const {value: anyValue} = fc.letrec<{value: unknown}>((tie) => ({
  value: fc.oneof(
    {maxDepth: 4, depthSize: 'small'},
    fc.constant(null),
    fc.boolean(),
    fc.integer({min: -4, max: 4}),
    fc.constantFrom('', 'a', 'abcde', '😀'),
    fc.array(tie('value'), {maxLength: 4}),
    fc.dictionary(fc.constantFrom(...names, 'z'), tie('value'), {maxKeys: 5}),
  ),
}));

/** Values that mostly follow a schema, so that what is below the top is reached. */
function valueFor(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const own = (): fc.Arbitrary<unknown> => {
    switch (schema.type) {
      case 'string':
        return fc.constantFrom('', 'a', 'abc', 'abcde');
      case 'integer':
        return fc.integer({min: -4, max: 4});
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(valueFor(schema.items ?? {}, depth + 1), {maxLength: 4});
      default:
        if (typeof schema.additionalProperties === 'object')
          return fc.dictionary(fc.constantFrom(...names), valueFor(schema.additionalProperties, depth + 1), {maxKeys: 4});
        return fc
          .tuple(
            fc.tuple(
              ...Object.entries(schema.properties ?? {}).map(([name, child]) =>
                fc.tuple(fc.constant(name), fc.option(valueFor(child, depth + 1), {nil: undefined})),
              ),
            ),
            fc.boolean(),
          )
          .map(([members, odd]) =>
            Object.fromEntries([...members.filter(([, value]) => value !== undefined), ...(odd ? [['z', 1]] : [])] as [string, unknown][]),
          );
    }
  };
  return fc.oneof({weight: 8, arbitrary: own()}, {weight: 1, arbitrary: fc.constant(null)}, {weight: 1, arbitrary: anyValue});
}

const pair = anySchema.chain((schema) => fc.tuple(fc.constant(schema), valueFor(schema)));
const seed = Date.now() & 0x7fffffff;
const runs = {seed, numRuns: 1_500};

function wrapped(value: unknown): JsonObject {
  return {metadata: {name: 'n'}, spec: structuredClone(value)} as JsonObject;
}

test(`decoding twice is decoding once, and defaulting twice defaulting once (seed ${seed})`, (t) => {
  fc.assert(
    fc.property(pair, ([schema, value]) => {
      const object = wrapped(value);
      const compiled = specSchema(schema);
      if (compiled.decode(object, {unknown: []}).length > 0) return true;
      const once = structuredClone(object);
      const unknown: string[] = [];
      if (compiled.decode(object, {unknown}).length > 0 || unknown.length > 0 || !equalJson(object, once)) return false;
      compiled.applyDefaults(object);
      const defaulted = structuredClone(object);
      compiled.applyDefaults(object);
      if (!equalJson(object, defaulted)) return false;
      const again: string[] = [];
      return compiled.decode(object, {unknown: again}).length === 0 && again.length === 0 && equalJson(object, defaulted);
    }),
    runs,
  );
  t.pass();
});

test(`the same holds for typed objects (seed ${seed})`, (t) => {
  const presence = (schema: JsonSchema, index: number): JsonSchema =>
    [{}, {'x-orch-presence': 'always'}, {'x-orch-presence': 'explicit'}, {'x-orch-presence': 'explicit-null'}].map(
      (extra) => ({...schema, ...extra}) as JsonSchema,
    )[index % 4] as JsonSchema;
  fc.assert(
    fc.property(pair, fc.nat(3), ([schema, value], index) => {
      const compiled = typedSchema({spec: presence(schema, index)});
      const object = wrapped(value);
      if (compiled.decode(object, {unknown: []}).length > 0) return true;
      compiled.applyDefaults(object);
      const once = structuredClone(object);
      const unknown: string[] = [];
      if (compiled.decode(object, {unknown}).length > 0 || unknown.length > 0) return false;
      compiled.applyDefaults(object);
      return equalJson(object, once);
    }),
    runs,
  );
  t.pass();
});

test(`validation agrees with ajv on decoded and defaulted objects (seed ${seed})`, (t) => {
  // The draft-04 package is CommonJS; its class is the default member of its default export.
  const Ajv = AjvDraft04 as unknown as new (options: object) => {compile(schema: unknown): (value: unknown) => boolean};
  const ajv = new Ajv({strict: false, allErrors: false, ownProperties: true});
  fc.assert(
    fc.property(pair, ([schema, value]) => {
      // The oracle takes a property of that name for the prototype.
      fc.pre(!JSON.stringify(schema).includes('__proto__'));
      const compiled = specSchema(schema);
      const object = wrapped(value);
      if (compiled.decode(object, {unknown: []}).length > 0) return true;
      compiled.applyDefaults(object);
      const spec = object['spec'];
      if (spec === undefined) return true;
      return (compiled.validate(object).length === 0) === ajv.compile(structuredClone(schema))(spec);
    }),
    {...runs, numRuns: 600},
  );
  t.pass();
});
