import test from 'ava';
import {atOnce} from '../../../../sdk/values/interruptible.js';
import {StatusError, type JsonValue} from '../../../../sdk/index.js';
import {cborCodec} from '../../../../core/api/cbor/cbor-codec.js';
import {Random} from '../../../helpers/random.js';
import {builtInCatalog} from '../schema/catalog-fixture.js';

const bounds = {depth: 1000, values: 60_000};
const read = (hex: string | Buffer, hasTimes = true) =>
  atOnce(cborCodec.read(typeof hex === 'string' ? Buffer.from(hex, 'hex') : hex, bounds, hasTimes));
const hexOf = (value: unknown) =>
  cborCodec
    .encode(value)
    .toString('hex')
    .replace(/^d9d9f7/, '');

test('numbers are written in as few bytes as hold them', (t) => {
  // RFC 8949, appendix A.
  const examples: readonly [number | bigint, string][] = [
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [100, '1864'],
    [1000, '1903e8'],
    [1_000_000, '1a000f4240'],
    [1_000_000_000_000, '1b000000e8d4a51000'],
    [9_223_372_036_854_775_807n, '1b7fffffffffffffff'],
    [-1, '20'],
    [-10, '29'],
    [-1000, '3903e7'],
    [-9_223_372_036_854_775_808n, '3b7fffffffffffffff'],
    [-0, 'f98000'],
    [1.1, 'fb3ff199999999999a'],
    [1.5, 'f93e00'],
    [100_000.5, 'fa47c35040'],
    [3.402_823_466_385_288_6e38, 'fa7f7fffff'],
    [1e300, 'fb7e37e43c8800759c'],
    [5.960_464_477_539_063e-8, 'f90001'],
    [0.000_061_035_156_25, 'f90400'],
    [-4.1, 'fbc010666666666666'],
    [1.401_298_464_324_817e-45, 'fa00000001'],
  ];
  for (const [value, hex] of examples) {
    t.is(hexOf(value), hex, String(value));
    t.is(read(hex).value as unknown, value, hex);
  }
});

test('what is written is read again, whatever it is', (t) => {
  const random = new Random(7);
  const texts = ['', 'a', 'é', '日本', '😀', '__proto__', 'x'.repeat(23), 'x'.repeat(24), 'ü'.repeat(12), 'y'.repeat(70_000)];
  const value = (depth: number): JsonValue =>
    random.pick<() => JsonValue>([
      () => null,
      () => random.chance(0.5),
      () => random.below(2 ** 40) - 2 ** 39,
      () => random.below(1000) / 8,
      () => random.pick(texts),
      () => (depth > 4 ? [] : Array.from({length: random.below(30)}, () => value(depth + 1))),
      () =>
        depth > 4
          ? {}
          : (JSON.parse(
              `{${[...new Set(random.some(texts, 8))].map((name) => `${JSON.stringify(name)}:${JSON.stringify(value(depth + 1))}`).join(',')}}`,
            ) as JsonValue),
    ])();
  for (let round = 0; round < 500; round++) {
    const original = value(0);
    t.deepEqual(read(cborCodec.encode(original)), {value: original});
  }
});

test('base64 of built-in types is sent as bytes, and their floats as floats, however round', (t) => {
  const catalog = builtInCatalog();
  const secret = catalog.node('core/v1#/definitions/Secret');
  const sent = cborCodec.encode({data: {a: 'YWJj'}, stringData: {a: 'YWJj'}}, secret);
  t.is(sent.toString('hex'), 'd9d9f7a24464617461a14161d6436162634a737472696e6744617461a141614459574a6a');
  t.deepEqual(read(sent).value, {data: {a: 'YWJj'}, stringData: {a: 'YWJj'}});
  const props = catalog.node('apiextensions.orch/v1#/definitions/JSONSchemaProps');
  t.is(cborCodec.encode({maximum: 5, maxLength: 5}, props).toString('hex'), 'd9d9f7a2476d6178696d756df94500496d61784c656e67746805');
});

test('a body that nests too deep, has too many values or claims more than it has is refused before anything is made of it', (t) => {
  t.is(read(Buffer.from('81'.repeat(1001), 'hex')).fault, 'cbor: exceeded max nested level 1000');
  t.is(read(`${'d864'.repeat(2000)}00`).fault, 'cbor: exceeded max nested level 1000');
  t.is(read(`${'81'.repeat(1000)}00`).fault, undefined);
  const many = t.throws(() => read(Buffer.concat([Buffer.from('9a000fffff', 'hex'), Buffer.alloc(0xfffff)])), {instanceOf: StatusError});
  t.is(many.code, 413);
  for (const claim of ['9affffffff', 'bbffffffffffffffff', '5bffffffffffffffff', 'a1', '7affffffff61'])
    t.is(read(claim).fault, 'unexpected EOF', claim);
  // Names are not counted, as in JSON.
  const members = Object.fromEntries(Array.from({length: 59_000}, (_, index) => [`m${index}`, index]));
  t.deepEqual(read(cborCodec.encode(members)).value, members);
});

test('large bodies are read in pieces', (t) => {
  const reading = cborCodec.read(cborCodec.encode(Array.from({length: 50_000}, (_, index) => index)), bounds, false);
  let pauses = 0;
  while (!reading.next().done) pauses += 1;
  t.is(pauses, 6);
});

test('random and damaged bytes are a value or a fault, and never anything else', (t) => {
  const random = new Random(11);
  const sound = cborCodec.encode({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'x', labels: {a: 'b'}},
    data: {a: 'b', n: 1.5, l: [1, null, true]},
  });
  for (let round = 0; round < 4_000; round++) {
    const bytes = random.chance(0.5) ? random.bytes(40) : Buffer.from(sound);
    if (random.chance(0.9) && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
    const {value, fault} = read(bytes, random.chance(0.5));
    if (fault === undefined) t.notThrows(() => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)));
    else t.regex(fault, /^(?:EOF|unexpected EOF|cbor: .+)$/, bytes.toString('hex'));
  }
});
