import test from 'ava';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {invalidObject, type JsonObject} from '../../../../sdk/index.js';
import {checkWork, largestBody, listBy, listOf, membersBy, repeated, type Work} from './measure-work.js';
import type {Random} from '../../../helpers/random.js';

type Schema = Record<string, unknown>;

/** What a write does with the schema of its type: reads the object by it, fills defaults in, judges it, answers with the faults. */
function judged(name: string, schema: Schema, value: (bytes: number, random: Random) => unknown, largest = largestBody): Work {
  return {
    name,
    largest,
    prepare: (bytes, random) => {
      const judge = new SchemaCatalog().fromInline({type: 'object', properties: {spec: schema}});
      judge.validate({});
      const object = {apiVersion: 'example.com/v1', kind: 'Sample', metadata: {name: 'one'}, spec: value(bytes, random)} as JsonObject;
      return () => {
        const report = {unknown: [] as string[]};
        const faults = judge.decode(object, report);
        judge.applyDefaults(object);
        faults.push(...judge.validate(object));
        const answer =
          faults.length === 0 ? 0 : JSON.stringify(invalidObject({group: 'example.com', kind: 'Sample'}, 'one', faults).toStatus()).length;
        const unknown = JSON.stringify(report.unknown).length;
        if (answer + unknown > 500_000) throw new Error(`${answer + unknown} characters of faults`.repeat(100));
        return `${faults.length} faults`;
      };
    },
  };
}

const text = {type: 'string'};
const integer = {type: 'integer'};
const list = (items: Schema, more: Schema = {}): Schema => ({type: 'array', items, ...more});
const object = (properties: Schema, more: Schema = {}): Schema => ({type: 'object', properties, ...more});
const map = (values: Schema): Schema => ({type: 'object', additionalProperties: values});
const numbered = (count: number, make: (index: number) => unknown): Schema =>
  Object.fromEntries(Array.from({length: count}, (_, index) => [`p${index}`, make(index)]));
const times = <T>(count: number, start: T, step: (inner: T) => T): T => (count === 0 ? start : step(times(count - 1, start, step)));
const wordOf = (random: Random): string => `${random.below(1e9)}`.padStart(10, 'w');

test.serial('defaults of a schema are bounded together, whatever the body makes of them', async (t) => {
  const preset = (value: unknown): Schema => ({type: typeof value === 'string' ? 'string' : 'integer', default: value});
  await checkWork(t, [
    judged('a default in each item', list(object({a: preset('x'.repeat(20))})), (bytes) => listOf(bytes, {})),
    judged('a hundred defaults in each item', list(object(numbered(100, () => preset(1)))), (bytes) => listOf(bytes, {})),
    judged('a long default in each item', list(object({a: preset('x'.repeat(100_000))})), (bytes) => listOf(bytes, {})),
    judged('a default for each null item', list({...text, default: 'x'.repeat(50)}), (bytes) => listOf(bytes, null)),
    judged(
      'two defaults in each of two defaults, and so on',
      times<Schema>(18, preset('x'), (inner) => object({a: inner, b: inner}, {default: {}})),
      () => ({}),
      2,
    ),
  ]);
});

test.serial('judging values ends with the faults that are shown', async (t) => {
  await checkWork(t, [
    judged('values of the wrong type', list(text), (bytes) => listOf(bytes, 0)),
    judged('values too large', list({...integer, maximum: 5}), (bytes) => listOf(bytes, 9)),
    judged('required fields missing', list(object({}, {required: ['a']})), (bytes) => listOf(bytes, {})),
    judged('fields that are unknown', object({}), (bytes) => membersBy(bytes, 12, (index) => [`k${index}`, 0])),
    judged('unknown fields below a long name', object({m: map({type: 'object'})}), (bytes) => ({
      m: {['k'.repeat(bytes / 2)]: membersBy(bytes / 2, 12, (index) => [`k${index}`, 0])},
    })),
    judged('faults below a long name', map(list({...text, maxLength: 1})), (bytes) => ({['k'.repeat(bytes / 2)]: listOf(bytes / 2, 'ab')})),
    judged('faults that show long values', list({...map(integer), maxProperties: 0}), (bytes) =>
      listBy(bytes, bytes / 200, () => ({a: 'x'.repeat(bytes / 200)})),
    ),
    judged('labels of an embedded resource', {type: 'object', 'x-kubernetes-embedded-resource': true}, (bytes) => ({
      apiVersion: 'v1',
      kind: 'Kind',
      metadata: {labels: membersBy(bytes, 14, (index) => [`k${index} `, 'a b'])},
    })),
    judged(
      'embedded resources',
      list({type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true}),
      (bytes) => listOf(bytes, {apiVersion: 'v1', kind: 'Kind', metadata: {}}),
    ),
  ]);
});

test.serial('the work of a schema on a body grows as the body does', async (t) => {
  const minimums = (count: number): Schema[] => Array.from({length: count}, (_, index) => ({minimum: -index}));
  const set = (items: Schema): Schema => list(items, {'x-kubernetes-list-type': 'set'});
  const keyed = (keys: string[]): Schema =>
    list(object(Object.fromEntries(keys.map((key) => [key, text]))), {'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys});
  await checkWork(t, [
    judged('numbers', list(integer), (bytes) => listOf(bytes, 0)),
    judged('objects', list(object({a: text})), (bytes) => listOf(bytes, {})),
    judged('multiples', list({type: 'number', multipleOf: 0.01}), (bytes) => listOf(bytes, 0.07)),
    judged('lengths in characters', list({...text, minLength: 1}), (bytes) => listOf(bytes, '\u{1f600}')),
    judged('one of many values', list({...text, enum: Array.from({length: 100_000}, (_, index) => `v${index}`)}), (bytes) =>
      listOf(bytes, 'v99999'),
    ),
    judged('one of many objects', list({enum: Array.from({length: 20_000}, (_, a) => ({a}))}), (bytes) => listOf(bytes, {a: 19_999})),
    judged('a set', set(text), (bytes, random) => listBy(bytes, 13, () => wordOf(random))),
    judged('a set of one value', set(text), (bytes) => listOf(bytes, 'a')),
    judged('sets in sets', times<Schema>(60, set(integer), set), (bytes) =>
      times<unknown>(
        60,
        listBy(bytes, 7, (index) => index),
        (inner) => [inner, 1],
      ),
    ),
    judged('a list by a key', keyed(['k']), (bytes, random) => listBy(bytes, 20, () => ({k: wordOf(random)}))),
    judged('a list by a thousand keys', keyed(Object.keys(numbered(1000, () => 0))), (bytes) => listOf(bytes, {})),
    judged('a thousand choices for each item', list({...integer, oneOf: minimums(1000)}), (bytes) => listOf(bytes, 0)),
    judged('choices in choices', list({...integer, ...times<Schema>(12, {minimum: 5}, (inner) => ({anyOf: [inner, inner]}))}), (bytes) =>
      listOf(bytes, 0),
    ),
    judged('a hundred conditions on each item', list({...integer, allOf: minimums(100)}), (bytes) => listOf(bytes, 0)),
    judged(
      'a condition on objects in objects',
      times<Schema>(100, list(integer), (inner) => ({...map(inner), maxProperties: 5})),
      (bytes) => times<unknown>(100, listOf(bytes, 0), (inner) => ({a: inner})),
    ),
    judged('patterns', list({...text, pattern: '^[a-z]+$'}), (bytes) => listOf(bytes, 'abcdefghij')),
    judged('a pattern of many states', list({...text, pattern: '^((a?){300}){3}b$'}), (bytes) => listOf(bytes, 'a'.repeat(97))),
    judged('a pattern on a long text', {...text, pattern: '^(a|b|c|d)*$'}, (bytes) => repeated(bytes, 'abcd')),
    judged('times', list({...text, format: 'date-time'}), (bytes) => listOf(bytes, '2020-01-02T03:04:05Z')),
    judged('mail addresses', list({...text, format: 'email'}), (bytes) => listOf(bytes, 'a@b.cd')),
    judged('a long address', {...text, format: 'uri'}, (bytes) => `/${repeated(bytes, '%41')}`),
    judged('durations', list({...text, format: 'duration'}), (bytes) => listOf(bytes, '1 x'.repeat(320))),
    judged('host names', list({...text, format: 'hostname'}), (bytes) => listOf(bytes, `${'a-'.repeat(120)}a`)),
    judged('card numbers', list({...text, format: 'creditcard'}), (bytes) => listOf(bytes, '4111111111111111')),
    judged('open values in depth', {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}, (bytes) =>
      times<unknown>(900, listOf(bytes, 0), (inner) => ({a: inner})),
    ),
  ]);
});
