import test from 'ava';
import {areAllowed, mergeTolerations} from '../../../../plugins/families/pods/merge-tolerations.js';

const exists = (key: string, effect = '') => ({key, operator: 'Exists', effect});
const equal = (key: string, value: string, effect = '') => ({key, value, effect});
const until = (tolerationSeconds: number) => ({key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds});

test('merged tolerations have none that another covers', (t) => {
  t.deepEqual(mergeTolerations([equal('a', 'x')], [exists('a')]), [exists('a')]);
  t.deepEqual(mergeTolerations([exists('a')], [equal('a', 'x'), equal('b', 'x')]), [exists('a'), equal('b', 'x')]);
  t.deepEqual(mergeTolerations([equal('a', 'x', 'NoSchedule')], [equal('a', 'x'), equal('a', 'y')]), [equal('a', 'x'), equal('a', 'y')]);
  t.deepEqual(mergeTolerations([exists('a', 'NoExecute')], [until(5)]), [exists('a', 'NoExecute')]);
  t.deepEqual(mergeTolerations([until(5), until(9)], [until(7)]), [until(9)]);
  t.deepEqual(mergeTolerations([{operator: 'Exists'}], [exists('a'), until(3)]), [{operator: 'Exists'}]);
});

test('of equal tolerations the first stays, and the order is kept', (t) => {
  const first = {key: 'a', operator: 'Equal', value: 'x', effect: ''};
  const merged = mergeTolerations([exists('z'), first], [equal('a', 'x'), exists('b')]);
  t.deepEqual(merged, [exists('z'), first, exists('b')]);
  t.is(merged[1], first);
});

test('many tolerations are merged in no time', (t) => {
  const many = Array.from({length: 50_000}, (_, index) => ({...until(index), operator: 'Equal', value: String(index % 7)}));
  const begin = performance.now();
  t.is(mergeTolerations(many, many).length, 7);
  t.true(areAllowed(many, many));
  t.true(performance.now() - begin < 3000);
});
