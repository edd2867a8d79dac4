import test from 'ava';
import {parseInPieces} from '../../../../core/api/codec/json-pieces.js';
import {readJson} from '../../../../core/api/codec/json.js';
import {atOnce, type JsonValue} from '../../../../sdk/index.js';
import {Random} from '../../../helpers/random.js';

const parse = (text: string) => JSON.parse(text) as JsonValue;
const inPieces = (text: string) => atOnce(parseInPieces(Buffer.from(text), parse));

/** A container of more bytes than a piece has, at random places of which there are others. */
function largeValue(random: Random, bytes: number, depth = 0): JsonValue {
  const kind = random.below(bytes > 300 && depth < 8 ? 2 : 6);
  const parts = Math.max(1, random.below(bytes < 2000 ? 4 : random.chance(0.5) ? 3 : 200));
  const part = () => largeValue(random, Math.floor(bytes / parts), depth + 1);
  if (kind === 0) return Array.from({length: parts}, part);
  if (kind === 1) return Object.fromEntries(Array.from({length: parts}, () => [random.pick(names) + String(random.below(1000)), part()]));
  return random.pick([1, -2.5e3, true, null, 'text', '', 'é😀', '",]}[{:\\', [], {}, '\n\u0000', 12345]) as JsonValue;
}

const names = ['a', '__proto__', '', 'é"', 'constructor', '1', ',}', 'toString'];

test('a text that is parsed in pieces has the value that it has as a whole', (t) => {
  const seed = Number(process.env['ORCH_TEST_SEED'] ?? 20_261_123);
  t.log(`seed ${seed}`);
  const random = new Random(seed);
  let pieces = 0;
  for (let round = 0; round < 20; round++) {
    const value = [largeValue(random, 400_000), {rest: largeValue(random, 400_000)}];
    const text = ` ${JSON.stringify(value, undefined, random.pick([0, 0, 1, '\t']) as number)}\n`;
    const work = parseInPieces(Buffer.from(text), parse);
    let next = work.next();
    for (; !next.done; next = work.next()) pieces++;
    t.deepEqual(JSON.stringify(next.value), JSON.stringify(JSON.parse(text)));
  }
  t.true(pieces > 50, `${pieces} pieces`);
});

test('a text with one byte more, less or another is refused or read as it is as a whole', (t) => {
  const seed = Number(process.env['ORCH_TEST_SEED'] ?? 20_261_123);
  t.log(`seed ${seed}`);
  const random = new Random(seed);
  const text = JSON.stringify([
    {a: 'x'.repeat(70_000), b: [1, {c: 'y'.repeat(70_000), d: {}}, [], 'z'.repeat(70_000)]},
    {e: 1, f: [2]},
  ]);
  const places = [...text.matchAll(/[^xyz]/g)].map(({index}) => index);
  for (let round = 0; round < 800; round++) {
    const place = random.pick(places);
    const kept = random.below(3);
    const inserted = kept === 0 ? '' : random.pick([',', ':', '{', '}', '[', ']', '"', ' ', '1', '\u00a0', 'null', ',,']);
    const broken = text.slice(0, place) + inserted + text.slice(place + (kept === 1 ? 0 : 1));
    const whole = outcome(() => JSON.stringify(JSON.parse(broken)));
    const found = outcome(() => {
      const value = inPieces(broken);
      if (value === undefined) throw new SyntaxError();
      return JSON.stringify(value);
    });
    if (whole !== found) t.fail(`${JSON.stringify(broken.replaceAll(/([xyz])\1+/g, '$1'))}: ${found} where it is ${whole}`);
  }
  t.pass();
});

test('the last of duplicate members wins, and each is reported, wherever a piece ends', (t) => {
  const long = 'x'.repeat(70_000);
  const {value, duplicates} = atOnce(
    readJson(Buffer.from(`{"a":{"b":"${long}","c":1},"d":"${long}","a":{"b":2,"b":3}}`), {duplicates: true}),
  );
  t.deepEqual([value, duplicates], [{a: {b: 3}, d: long}, ['a', 'a.b']]);
});

test('the fault of a large text is the one of the whole', (t) => {
  const long = 'x'.repeat(70_000);
  t.throws(() => atOnce(readJson(Buffer.from(`{"a":["${long}",\n1 2]}`))), {message: /line 2/});
});

function outcome(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (error instanceof SyntaxError) return 'refused';
    throw error;
  }
}
