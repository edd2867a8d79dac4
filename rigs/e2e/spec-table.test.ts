import test from 'ava';
import {specTable} from './spec-table.js';
import {needOf} from './needs.js';
import {specsOf} from './specs.js';

const report = (...specs: readonly object[]) =>
  JSON.stringify([{SpecReports: [{LeafNodeType: 'ReportAfterSuite', LeafNodeText: '', State: 'passed'}, ...specs]}]);
const spec = (group: string, text: string, state: string, more: object = {}) => ({
  ContainerHierarchyTexts: [`[sig-api-machinery] ${group}`],
  LeafNodeText: text,
  LeafNodeType: 'It',
  State: state,
  RunTime: 1_240_000_000,
  ...more,
});

test('a report of the suite says what has become of its specs, and why they failed', (t) => {
  const specs = specsOf(
    report(
      spec('Watchers', 'should see', 'passed'),
      spec('Watchers', 'should wait', 'timedout', {Failure: {Message: 'too long'}}),
      spec('OpenAPIV3', 'should be read', 'panicked', {Failure: {Message: 'Test Panicked', ForwardedPanic: 'nil'}}),
      spec('API priority', 'should be fair', 'skipped'),
    ),
  );
  t.deepEqual(
    specs.map(({text, outcome, message}) => [text, outcome, message]),
    [
      ['[sig-api-machinery] Watchers should see', 'passed', ''],
      ['[sig-api-machinery] Watchers should wait', 'failed', 'too long'],
      ['[sig-api-machinery] OpenAPIV3 should be read', 'failed', 'Test Panicked\nnil'],
      ['[sig-api-machinery] API priority should be fair', 'skipped', ''],
    ],
  );
});

test('what needs a container is named and counted, and everything else has a result of each server that was asked', (t) => {
  const specs = specsOf(
    report(spec('AdmissionWebhook [Privileged]', 'should deny', 'skipped'), spec('Watchers', 'should see a|b', 'passed')),
  );
  t.deepEqual(
    specs.map(({text}) => needOf(text)),
    ['pod that serves a webhook', undefined],
  );
  const table = specTable(specs, [
    {title: 'own', specs: new Map([[specs[1]!.text, specs[1]!]])},
    {title: 'real', specs: new Map()},
  ]);
  t.deepEqual(table.split('\n'), [
    '2 specs, of which 1 can be run. What others need: pod that serves a webhook: 1.',
    '- own: 1 passed, 0 failed, 0 skipped by themselves',
    '- real: 0 passed, 0 failed, 0 skipped by themselves',
    '',
    '| spec | needs | own | real |',
    '| --- | --- | --- | --- |',
    '| [sig-api-machinery] AdmissionWebhook [Privileged] should deny | pod that serves a webhook | - | - |',
    '| [sig-api-machinery] Watchers should see a\\|b | can be run | passed (1.2 s) | - |',
    '',
  ]);
});
