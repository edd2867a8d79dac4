import type {Random} from '../../../test/helpers/random.js';

/** Anything that JSON can hold. */
export type Value = string | number | boolean | null | Value[] | {[member: string]: Value};

/** What is known to stand in objects: names of members, texts, and parts of objects. */
export interface Vocabulary {
  readonly members: readonly string[];
  readonly texts: readonly string[];
  readonly parts: readonly Value[];
}

/** A place in a value: the list or object around it, and where in that. */
interface Place {
  readonly within: Value[] | {[member: string]: Value};
  readonly at: string | number;
}

const maximumPlaces = 2000;

function placesOf(value: Value, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null || found.length > maximumPlaces) return found;
  const keys: readonly (string | number)[] = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  for (const at of keys) {
    found.push({within: value, at});
    placesOf(read({within: value, at}), found);
  }
  return found;
}

function read({within, at}: Place): Value {
  return (within as {[member: string]: Value})[at as string]!;
}

function write({within, at}: Place, value: Value): void {
  // `__proto__` has to become a member like all others.
  Object.defineProperty(within, at, {value, enumerable: true, configurable: true, writable: true});
}

function remove({within, at}: Place): void {
  if (Array.isArray(within)) within.splice(at as number, 1);
  else delete within[at as string];
}

/** Changes a value in one place, and answers it: the same, or another where the whole is the place. */
export function mutateValue(random: Random, value: Value, vocabulary: Vocabulary): Value {
  const places = placesOf(value);
  if (places.length === 0 || random.chance(0.01)) return strange(random, vocabulary);
  const place = random.pick(places);
  random.pick(changes)(random, place, vocabulary, places);
  return value;
}

type Change = (random: Random, place: Place, vocabulary: Vocabulary, places: readonly Place[]) => void;

const changes: readonly Change[] = [
  (random, place, vocabulary) => write(place, strange(random, vocabulary)),
  (random, place, vocabulary) => write(place, strange(random, vocabulary)),
  (_, place) => remove(place),
  (_, place) => remove(place),
  (random, place, vocabulary) => write(place, structuredClone(random.pick(vocabulary.parts))),
  (random, place, _, places) => write(place, structuredClone(read(random.pick(places)))),
  (_, place) => write(place, [read(place)]),
  (random, place, vocabulary) => write(place, {[random.pick(vocabulary.members)]: read(place)}),
  (random, place, vocabulary) => insert(random, place, vocabulary),
  (random, place, vocabulary) => insert(random, place, vocabulary),
  (random, place) => repeat(random, place),
  (random, place, vocabulary) => rename(random, place, vocabulary),
  (random, place) => alter(random, place),
  (random, place) => alter(random, place),
];

/** A value that is not expected where it comes. */
function strange(random: Random, {texts}: Vocabulary): Value {
  return random.pick<() => Value>([
    () => null,
    () => random.chance(0.5),
    () => random.number(),
    () => random.text(),
    () => random.pick(texts),
    () => '',
    () => [],
    () => ({}),
    () => [null],
    () => [[]],
    () => ({'': ''}),
    () => random.pick(edgeTexts),
  ])();
}

const edgeTexts = [
  '0',
  '-1',
  '1e3',
  '1Ei',
  '999999999999999999999999Ei',
  '-1m',
  '0x10',
  '2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '99999-01-01T00:00:00Z',
  '10.0.0.0/8',
  '::1',
  '256.1.1.1',
  'a'.repeat(63),
  'a'.repeat(64),
  'a'.repeat(253),
  'a'.repeat(254),
  `${'a'.repeat(63)}.`.repeat(4),
  'a/b/c',
  'example.com/name',
  '/',
  '../..',
  '$(A)',
  '{{.A}}',
  '*/5 * * * *',
  '@every 1s',
  'AAAA',
  '====',
  '%',
  '100%',
  '150%',
  '-5%',
  '[::]:80',
  '127.0.0.1',
  'https://127.0.0.1:1/x',
  'service.default.svc',
  'system:masters',
  'self.a > 1',
  '(a+)+$',
  '\\',
  '.spec[*].x',
];

function insert(random: Random, {within, at}: Place, vocabulary: Vocabulary): void {
  const added = random.chance(0.5) ? structuredClone(random.pick(vocabulary.parts)) : strange(random, vocabulary);
  if (Array.isArray(within)) within.splice(at as number, 0, added);
  else write({within, at: random.chance(0.9) ? random.pick(vocabulary.members) : random.text()}, added);
}

/** Several times the same, or nearly: lists become longer than anybody wants them. */
function repeat(random: Random, place: Place): void {
  const times = random.pick([2, 3, 10, 100]);
  const {within, at} = place;
  if (Array.isArray(within)) {
    const item = read(place);
    if (JSON.stringify(item).length * times > 20_000) return;
    within.splice(at as number, 0, ...Array.from({length: times}, () => structuredClone(item)));
  } else {
    const text = read(place);
    if (typeof text === 'string') write(place, text.repeat(times).slice(0, 20_000));
  }
}

function rename(random: Random, place: Place, vocabulary: Vocabulary): void {
  const {within} = place;
  if (Array.isArray(within)) return;
  const value = read(place);
  remove(place);
  write({within, at: random.chance(0.8) ? random.pick(vocabulary.members) : random.text()}, value);
}

/** A little beside what was there. */
function alter(random: Random, place: Place): void {
  const value = read(place);
  if (typeof value === 'number') write(place, random.pick([value + 1, value - 1, -value, value * 1000, value + 0.5, String(value)]));
  else if (typeof value === 'boolean') write(place, random.pick([!value, String(value)]));
  else if (typeof value === 'string') {
    const at = random.below(value.length + 1);
    write(
      place,
      random.pick([
        value.slice(0, at) + value.slice(at + 1),
        value.slice(0, at) + random.text().slice(0, 3) + value.slice(at),
        value.toUpperCase(),
        ` ${value}`,
        `${value}\n`,
        value + value,
        /^\d+$/.test(value) ? Number(value) : `${value}x`,
      ]),
    );
  } else if (Array.isArray(value)) write(place, random.pick([[...value].reverse(), value.slice(1), [...value, ...structuredClone(value)]]));
  else if (value !== null) write(place, random.pick<Value>([Object.values(value), Object.keys(value), {}]));
}
