import type {TestServer} from '@orch-api/orch/testing';
import {parseMetrics, samplesOf, valueOf, type Scrape} from '../../../helpers/metrics-text.js';
import {testHooksOnEachStore, type HookAnswer} from './hook-tests.js';

const eachStore = testHooksOnEachStore();
const prefix = 'apiserver_admission_webhook_';
const refuse = (code: number | undefined) => () => ({allowed: false, status: {message: 'no', ...(code === undefined ? {} : {code})}});
const broken: HookAnswer = (_review, response) => {
  response.destroy();
  return undefined;
};

async function scrape({client}: {client: TestServer['client']}): Promise<Scrape> {
  return parseMetrics((await client.get('/metrics')).body.toString());
}

const matching = (name: string) => ({objectSelector: {matchLabels: {case: name}}});

for (const kind of ['mutating', 'validating'] as const) {
  const type = kind === 'mutating' ? 'admit' : 'validating';
  eachStore(
    `rejections by ${kind} webhooks are counted by name, operation, type, kind of error and code [B-METRIC-1] [B-METRIC-2] [B-METRIC-3] [B-METRIC-4] [B-METRIC-5]`,
    async (t, {client, path, namespace}, hooks) => {
      const name = (what: string) => `${what}.${kind}.${namespace}.example.com`;
      await hooks.configure(kind, [
        {name: name('teapot'), ...matching('teapot'), answer: refuse(418)},
        {name: name('plain'), ...matching('plain'), answer: refuse(undefined)},
        {name: name('large'), ...matching('large'), answer: refuse(799)},
        {name: name('low'), ...matching('low'), answer: refuse(302)},
        {name: name('broken'), ...matching('broken'), answer: broken},
        {name: name('ignored'), ...matching('ignored'), failurePolicy: 'Ignore', answer: broken},
        {name: name('fine'), ...matching('fine')},
      ]);
      const send = (label: string) => client.post(path('configmaps'), {metadata: {generateName: `${label}-`, labels: {case: label}}});
      for (const label of ['teapot', 'plain', 'large', 'low', 'broken']) t.true((await send(label)).status >= 400, label);
      for (const label of ['ignored', 'fine', 'none']) t.is((await send(label)).status, 201, label);

      const metrics = await scrape({client});
      const rejections = samplesOf(metrics, `${prefix}rejection_count`, {type}).filter(({labels}) => labels['name']!.includes(namespace));
      const told = rejections.map(({labels, value}) => [
        labels['name']!.split('.')[0],
        labels['operation'],
        labels['error_type'],
        labels['rejection_code'],
        value,
      ]);
      t.deepEqual(told.sort(), [
        ['broken', 'CREATE', 'calling_webhook_error', '0', 1],
        ['large', 'CREATE', 'no_error', '600', 1],
        ['low', 'CREATE', 'no_error', '400', 1],
        ['plain', 'CREATE', 'no_error', '400', 1],
        ['teapot', 'CREATE', 'no_error', '418', 1],
      ]);
      t.is(valueOf(metrics, `${prefix}fail_open_count`, {name: name('ignored'), type}), 1);
      t.is(valueOf(metrics, `${prefix}request_total`, {name: name('fine'), type, code: '200', rejected: 'false'}), 1);
      t.is(valueOf(metrics, `${prefix}admission_duration_seconds_count`, {name: name('teapot'), type, rejected: 'true'}), 1);

      await client.delete(path('configmaps'));
      const other = await hooks.configure(kind, [{name: name('held'), rules: rules(['UPDATE', 'DELETE']), answer: refuse(403)}]);
      t.is((await client.post(path('configmaps'), {metadata: {name: 'held'}})).status, 201, other);
      t.is((await client.patch(`${path('configmaps')}/held`, {data: {a: 'b'}})).status, 403);
      t.is((await client.delete(`${path('configmaps')}/held`)).status, 403);
      const held = samplesOf(await scrape({client}), `${prefix}rejection_count`, {name: name('held')});
      t.deepEqual(held.map(({labels}) => [labels['operation'], labels['rejection_code']]).sort(), [
        ['DELETE', '403'],
        ['UPDATE', '403'],
      ]);
    },
  );
}

function rules(operations: readonly string[]) {
  return [{operations, apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}];
}
