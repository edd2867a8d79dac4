import test from 'ava';
import type {RequestReport} from '../../../../sdk/index.js';
import * as bounds from '../../../../plugins/routes/inspection/bounds.js';
import {ReportLog} from '../../../../plugins/routes/inspection/report-log.js';

const report = (id: string, more: Partial<RequestReport> = {}): RequestReport => ({
  id,
  time: Date.now(),
  method: 'POST',
  path: '/api/v1/namespaces/default/configmaps',
  verb: 'create',
  user: 'alice',
  impersonator: undefined,
  code: 201,
  reason: undefined,
  message: undefined,
  seconds: 0.01,
  isLasting: false,
  flow: undefined,
  authorization: undefined,
  verdicts: [],
  steps: [],
  warnings: [],
  leftOut: 0,
  ...more,
});

const kept = (log: ReportLog) => [...log.newest()].map(({id}) => id);

test('refusals, writes and slow requests are kept, other reads and watches are not', (t) => {
  const log = new ReportLog();
  log.add(report('write'));
  log.add(report('read', {method: 'GET', code: 200}));
  log.add(report('refused', {method: 'GET', code: 403}));
  log.add(report('slow', {method: 'GET', code: 200, seconds: 2}));
  log.add(report('watch', {method: 'GET', code: 200, seconds: 2000, isLasting: true}));
  log.add(report('cut', {method: 'GET', code: 0}));
  t.deepEqual(kept(log), ['cut', 'slow', 'refused', 'write']);
});

test('a user who sends very many requests pushes out the own reports only', (t) => {
  const log = new ReportLog();
  log.add(report('of-bob', {user: 'bob'}));
  for (let number = 0; number < bounds.reportsOfUser * 3; number += 1) log.add(report(`of-alice-${number}`));
  t.is(log.size, bounds.reportsOfUser + 1);
  t.is(log.find('of-bob').length, 1);
  t.deepEqual(log.find('of-alice-0'), []);
});

test('reports are bounded in number and in bytes, whoever sends requests', (t) => {
  const log = new ReportLog();
  for (let number = 0; number < bounds.reports + 500; number += 1) log.add(report(`${number}`, {user: `user-${number}`}));
  t.is(log.size, bounds.reports);
  const message = 'x'.repeat(1024);
  const verdicts = Array.from(
    {length: 64},
    () => ({by: 'webhook', name: message, half: 'admit', verdict: 'denied', message, seconds: 0}) as const,
  );
  for (let number = 0; number < 1000; number += 1) log.add(report(`${number}`, {user: `user-${number}`, verdicts}));
  t.true(log.bytes <= bounds.reportBytes, String(log.bytes));
  t.true(log.size > 5);
});

test('a report is kept for five minutes', (t) => {
  const log = new ReportLog();
  log.add(report('old', {time: Date.now() - bounds.reportMillis - 1}));
  t.deepEqual(kept(log), []);
  t.is(log.bytes, 0);
});
