import test from 'ava';
import {pemBlocks} from '../../../sdk/values/pem-blocks.js';

const block = (type: string, body = 'AAAA') => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
const types = (text: string) => pemBlocks(text).map(({type}) => type);

test('blocks are found in their order, with text around them', (t) => {
  t.deepEqual(types(`before\n${block('A B')}between\n${block('C-D')}behind`), ['A B', 'C-D']);
  t.deepEqual(pemBlocks(block('A', 'AAEC\r\nAwQ=').replaceAll('\n', '\r\n'))[0]?.bytes, Buffer.from([0, 1, 2, 3, 4]));
});

test('headers are told from data', (t) => {
  t.like(pemBlocks(block('A', 'Proc-Type: 4,ENCRYPTED\n\nAAAA'))[0], {hasHeaders: true, bytes: Buffer.from([0, 0, 0])});
  t.false(pemBlocks(block('A'))[0]!.hasHeaders);
});

test('what is not closed, closed by another name or not base64 is no block', (t) => {
  t.deepEqual(types('-----BEGIN A-----\nAAAA\n'), []);
  t.deepEqual(types('-----BEGIN A-----\nAAAA\n-----END B-----\n'), []);
  t.deepEqual(types(block('A', '%%%')), []);
  t.deepEqual(types(`-----BEGIN A-----\nAAAA\n${block('B')}`), ['B']);
});

test('a text of nothing but beginnings is gone through once', (t) => {
  const text = '-----BEGIN A-----\n'.repeat(150_000);
  const start = performance.now();
  t.deepEqual(pemBlocks(text), []);
  t.true(performance.now() - start < 2000);
});
