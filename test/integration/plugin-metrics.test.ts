import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {parseMetrics, valueOf} from '../helpers/metrics-text.js';
import {tempFolder, type Teardown} from '../helpers/temp-folder.js';

const sdk = import.meta.resolve('@orch-api/orch/sdk');

/** A plugin with an admission controller that counts in the metric that it is given. */
function counting(t: Teardown, name: string, declaration: object): string {
  const folder = join(tempFolder(t), name);
  mkdirSync(folder);
  const manifest = {
    name,
    version: '1.0.0',
    kernel: '^0.1.0',
    entry: './plugin.mjs',
    contributes: {admission: [{class: 'Counting', name, enabledByDefault: true}]},
  };
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'plugin.mjs'),
    `import {admission, inject, Tokens} from ${JSON.stringify(sdk)};
export class Counting {
  constructor(metrics) {
    this.seen = metrics.counter(${JSON.stringify(declaration)}).with(${JSON.stringify(name)});
    metrics.collect(() => metrics.gauge({name: '${name}_ready', help: 'Ready.', stability: 'ALPHA'}).with().set(1));
  }
  validate() {
    this.seen.add();
  }
}
inject(Tokens.Metrics)(Counting, undefined, 0);
admission({operations: ['CREATE'], resources: ['configmaps']})(Counting);
`,
  );
  return folder;
}

const orders = {name: 'shop_orders_total', help: 'Orders, by who counts.', stability: 'ALPHA', labels: ['counter']};

test('what plugins count is told at /metrics; two that declare the same metric count in one', async (t) => {
  await using server = await startTestServer({plugins: [counting(t, 'baker', orders), counting(t, 'butcher', orders)]});
  for (const name of ['a', 'b']) await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name}});
  const scraped = parseMetrics((await server.client.get('/metrics')).body.toString());
  t.is(valueOf(scraped, 'shop_orders_total', {counter: 'baker'}), 2);
  t.is(valueOf(scraped, 'shop_orders_total', {counter: 'butcher'}), 2);
  t.is(valueOf(scraped, 'baker_ready'), 1);
  t.is(scraped.get('shop_orders_total')!.help, '[ALPHA] Orders, by who counts.');
});

test('a plugin that takes the name of another metric does not start, and is told why', async (t) => {
  const declaration = {...orders, name: 'apiserver_request_total'};
  await t.throwsAsync(startTestServer({plugins: [counting(t, 'baker', declaration)]}), {
    message: /apiserver_request_total is declared twice, and differently/,
  });
  const second = {...orders, labels: ['kind']};
  await t.throwsAsync(startTestServer({plugins: [counting(t, 'baker', orders), counting(t, 'butcher', second)]}), {
    message: /butcher[^]*shop_orders_total is declared twice, and differently/,
  });
});
