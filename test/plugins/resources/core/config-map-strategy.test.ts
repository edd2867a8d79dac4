import test from 'ava';
import {ConfigMapStrategy} from '../../../../plugins/resources/core/config-map-strategy.js';
import {decodedBytes} from '../../../../plugins/resources/core/data-keys.js';
import {fieldErrorText} from '../../../../sdk/index.js';
import type {ConfigMap} from '../../../../sdk/types/unchecked/core/v1.js';

const strategy = new ConfigMapStrategy();
const make = (members: Partial<ConfigMap>): ConfigMap => ({metadata: {name: 'settings'}, ...members});
const faults = (members: Partial<ConfigMap>) => strategy.validateCreate(make(members)).map(fieldErrorText);
const parse = (text: string) => JSON.parse(text) as Record<string, string>;

test('keys are file-like names', (t) => {
  t.deepEqual(
    faults({data: {'a.b-C_1': '', '...': '', ['x'.repeat(253)]: ''}}).map((text) => text.split(':')[0]),
    ['data[...]'],
  );
  t.deepEqual(faults({}), []);
  for (const key of ['', 'a/b', 'a b', 'ä', '.', '..', '..a', 'x'.repeat(254)]) {
    t.true(faults({data: {[key]: ''}}).length >= 1, key);
    t.true(faults({binaryData: {[key]: ''}}).length >= 1, key);
  }
  t.is(
    faults({data: {'a/b': ''}})[0],
    "data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
      "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  );
});

test('keys named like members of every object are data', (t) => {
  const data = parse('{"__proto__": "a", "constructor": "b", "toString": "c"}');
  t.deepEqual(faults({data}), []);
  t.is(strategy.tableCells(make({data}))['Data'], 3);
  t.deepEqual(faults({data: {}, binaryData: parse('{"constructor": ""}')}), []);
});

test('a key cannot be in both data and binaryData', (t) => {
  t.deepEqual(faults({data: {a: 'x'}, binaryData: {a: 'eA=='}}), [
    'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    'binaryData[a]: Invalid value: "a": duplicate of key present in data',
  ]);
});

test('values together may have 1 MiB: bytes, not characters, and decoded bytes of binaryData', (t) => {
  const mib = 1024 * 1024;
  t.deepEqual(faults({data: {a: 'x'.repeat(mib)}}), []);
  t.deepEqual(faults({data: {a: 'x'.repeat(mib), b: 'x'}}), ['<nil>: Too long: must have at most 1048576 bytes']);
  t.is(faults({data: {a: 'ä'.repeat(mib / 2 + 1)}}).length, 1);
  t.deepEqual(faults({binaryData: {a: Buffer.alloc(mib).toString('base64')}}), []);
  t.is(faults({binaryData: {a: Buffer.alloc(mib + 1).toString('base64')}}).length, 1);
});

test('the bytes of a base64 text are counted without decoding it', (t) => {
  for (let length = 0; length < 50; length += 1) t.is(decodedBytes(Buffer.alloc(length, 7).toString('base64')), length);
});

test('data are frozen once immutable is true', (t) => {
  const old = make({immutable: true, data: {a: '1'}, binaryData: {b: 'eA=='}});
  const update = (members: Partial<ConfigMap>) => strategy.validateUpdate(make(members), old).map(fieldErrorText);
  const detail = 'Forbidden: field is immutable when `immutable` is set';
  t.deepEqual(update({immutable: true, data: {a: '1'}, binaryData: {b: 'eA=='}}), []);
  t.deepEqual(update({data: {a: '1'}, binaryData: {b: 'eA=='}}), [`immutable: ${detail}`]);
  t.deepEqual(update({immutable: false, data: {a: '2'}, binaryData: {}}), [
    `immutable: ${detail}`,
    `data: ${detail}`,
    `binaryData: ${detail}`,
  ]);
  t.deepEqual(update({immutable: true, data: {a: '1', c: ''}, binaryData: {b: 'eA=='}}), [`data: ${detail}`]);
  t.deepEqual(update({immutable: true, data: parse('{"__proto__": "1"}'), binaryData: {b: 'eA=='}}), [`data: ${detail}`]);
});

test('before that, data may change and immutable may be set', (t) => {
  t.deepEqual(strategy.validateUpdate(make({immutable: true, data: {a: '2'}}), make({immutable: false, data: {a: '1'}})), []);
  t.is(strategy.validateUpdate(make({data: {'/': ''}}), make({})).length, 1);
});

test('the table shows the number of entries', (t) => {
  t.deepEqual(strategy.tableCells(make({data: {a: ''}, binaryData: {b: '', c: ''}})), {Data: 3});
  t.deepEqual(strategy.tableCells(make({})), {Data: 0});
});
