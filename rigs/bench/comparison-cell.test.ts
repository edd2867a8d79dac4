import test from 'ava';
import {cellOf, shareOfGoal} from './comparison-cell.js';
import {webhook} from './admission-cases.js';
import {chosenRows, comparisonRows, objectSets} from './comparison-rows.js';
import type {Turn} from './comparison-side.js';
import {configMapText, secretText} from './work.js';

const turn = (cpu: number, p99 = 1): Turn => ({operations: 10, cpu, rate: 1_000 / cpu, p99, failures: 0, firstFailure: undefined});

test('a row is compared with the floor turn by turn, whatever both have in common', (t) => {
  // The machine is twice as slow in the second turn.
  const cell = cellOf([turn(3), turn(6), turn(3.3)], [turn(1), turn(2), turn(1)]);
  t.is(cell.timesFloor, 3);
  t.is(cell.cpu, 3.3);
  t.true(Math.abs(cell.spread - 1.5 / 3.3) < 1e-9);
});

test('failures of all turns are counted, and the first is told', (t) => {
  const failed = {...turn(1), failures: 2, firstFailure: 'get: status 500'};
  t.like(cellOf([turn(1), failed, failed], undefined), {failures: 4, firstFailure: 'get: status 500', timesFloor: undefined});
});

test('the distance to a goal is what a row takes over what it may take', (t) => {
  const plain = cellOf([turn(2)], [turn(1)]);
  const packed = cellOf([turn(3.9)], [turn(1)]);
  const rows = new Map([['list of 500', plain]]);
  t.is(shareOfGoal(plain, {of: 'floor', times: 4}, rows), 0.5);
  t.is(shareOfGoal(packed, {of: 'list of 500', times: 1.3}, rows), 1.5);
  t.is(shareOfGoal(packed, {of: 'get', times: 1.3}, rows), undefined);
  t.is(shareOfGoal(plain, {cpu: 1}, rows), 2);
});

test('rows are chosen by the beginnings of their names', (t) => {
  const names = chosenRows(['list of 500, g', 'apply']).map(({name}) => name);
  t.deepEqual(names, ['list of 500, gzip', 'apply', 'apply, 1 connection', 'apply, 200 connections', 'apply, 100 KB']);
  t.deepEqual(chosenRows([]), comparisonRows);
  t.true(chosenRows(['get']).some(({isCold}) => isCold));
  t.throws(() => chosenRows(['get', 'lists']), {message: /does not know lists/});
  t.is(new Set(comparisonRows.map(({name}) => name)).size, comparisonRows.length);
});

test('each row of a limited user stands beside the same one of an administrator', (t) => {
  const limited = comparisonRows.filter(({isLimited}) => isLimited);
  t.deepEqual(
    limited.map(({name}) => name),
    ['create, limited user', 'get, limited user', 'list of 500, limited user'],
  );
  for (const {name, isLimited: _, ...row} of limited)
    t.like(
      comparisonRows.find((other) => other.name === name.replace(', limited user', '')),
      row,
    );
});

test('rows about Secrets and a webhook have objects of their own', (t) => {
  const names = (wanted: string) => comparisonRows.filter(({set}) => set === wanted).map(({name}) => name);
  t.deepEqual(names('secrets'), ['create Secret, encrypted', 'get Secret, encrypted']);
  t.deepEqual(names('hooked'), ['create, webhook']);
  const namespaces = Object.values(objectSets).flatMap(({kept, fresh}) => [kept, fresh]);
  t.is(new Set(namespaces).size, namespaces.length);
  // Every configuration of this kind says which namespace it is about, in the words of its server.
  const hook = {url: 'https://127.0.0.1:1', ca: ''};
  t.like(webhook('configmaps', hook, 'k8s.io', 'here').object, {
    webhooks: [{namespaceSelector: {matchLabels: {'kubernetes.io/metadata.name': 'here'}}}],
  });
  t.like(webhook('configmaps', hook, 'orch', 'here').object, {
    webhooks: [{namespaceSelector: {matchLabels: {'orch/metadata.name': 'here'}}}],
  });
});

test('a Secret has the data of a ConfigMap', (t) => {
  const {kind, data} = JSON.parse(secretText('bench', 7, 7)) as {kind: string; data: {payload: string}};
  const configMap = JSON.parse(configMapText('bench', 7, 7)) as {data: {payload: string}};
  t.is(kind, 'Secret');
  t.is(Buffer.from(data.payload, 'base64').toString(), configMap.data.payload);
});
