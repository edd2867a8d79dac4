import test from 'ava';
import {PackedSchema} from '../../../../plugins/resources/apiextensions/serving/packed-schema.js';

const large = {type: 'object', description: 'A description says what a field is for. ü € '.repeat(400), properties: {a: {type: 'string'}}};

test('a schema is the same before and after it was packed, and takes a fraction of its text then', async (t) => {
  const length = JSON.stringify(large).length;
  const schema = new PackedSchema(large);
  t.is(schema.size, length);
  t.deepEqual(schema.unpack(), large);
  await PackedSchema.packing;
  t.true(schema.size < length / 10, `${schema.size} of ${length}`);
  t.deepEqual(schema.unpack(), large);
  t.not(schema.unpack(), schema.unpack(), 'each copy belongs to who asked for it');
});

test('many schemas are packed one after the other, and a small one stays as it is', async (t) => {
  const small = {type: 'object'};
  const schemas = Array.from({length: 20}, (_, index) => new PackedSchema({...large, title: String(index)}));
  const packedSmall = new PackedSchema(small);
  await PackedSchema.packing;
  t.true(schemas.every(({size}) => size < 2_000));
  t.deepEqual(
    schemas.map((schema) => schema.unpack().title),
    schemas.map((_, index) => String(index)),
  );
  t.is(packedSmall.size, JSON.stringify(small).length);
  t.deepEqual(packedSmall.unpack(), small);
});
