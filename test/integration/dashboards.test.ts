import {execFile, spawn} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {once} from 'node:events';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {Ajv} from 'ajv';
import test from 'ava';
import {load} from 'js-yaml';
import {declaredMetrics} from '../../core/lifetimes/declared-metrics.js';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../helpers/eventually.js';
import {freePort} from '../helpers/free-port.js';
import {parseMetrics} from '../helpers/metrics-text.js';
import {projectRoot} from '../helpers/project-root.js';
import {tempFolder} from '../helpers/temp-folder.js';
import {whereInstalled} from '../helpers/where-installed.js';

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly id: number;
  readonly targets?: readonly {readonly expr: string}[];
}
interface Rules {
  readonly groups: readonly {readonly rules: readonly {readonly alert: string; readonly expr: string}[]}[];
}

const folder = join(projectRoot(), 'docs/dashboards');
const dashboard = JSON.parse(readFileSync(join(folder, 'orch.json'), 'utf8')) as {
  panels: readonly Panel[];
  templating: {list: readonly {definition?: string}[]};
};
const rules = load(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as Rules;
const alerts = rules.groups.flatMap((group) => group.rules);
const charts = dashboard.panels.filter(({type}) => type !== 'row');

/** The names of metrics in an expression: what is left without texts, labels, numbers, functions and words of the language. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^{}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z][a-z0-9_]+\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !['sum', 'max', 'or', 'and', 'topk', 'instance'].includes(name));
}

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server.stop());

const ajv = new Ajv({allErrors: true, strict: false});

test('the dashboard is one by the schema of Grafana, which refuses what Grafana would', (t) => {
  const schema = JSON.parse(readFileSync(join(projectRoot(), 'test/fixtures/grafana-dashboard.schema.json'), 'utf8')) as object;
  const validate = ajv.compile(schema);
  t.true(validate(dashboard), JSON.stringify(validate.errors));
  const [row, chart] = dashboard.panels;
  for (const [what, wrong] of Object.entries({
    'a panel of no type': {panels: [{...chart, type: 'chart'}]},
    'a panel beyond the grid': {panels: [{...chart, gridPos: {h: 8, w: 25, x: 0, y: 0}}]},
    'a row without panels': {panels: [{...row, panels: undefined}]},
    'a query without text': {panels: [{...chart, targets: [{refId: 'A'}]}]},
    'an unknown member': {panel: []},
    'a variable of no type': {templating: {list: [{name: 'a', type: 'metric'}]}},
  }))
    t.false(validate(JSON.parse(JSON.stringify({...dashboard, ...wrong}))), what);
});

test('every metric that the dashboard and the alert rules name is one that a server tells', async (t) => {
  await server.client.get('/api/v1/pods');
  const scraped = parseMetrics((await server.client.get('/metrics')).body.toString());
  // Those whose labels have no values yet are declared only, by the same list that the answers of a server are held against.
  const samples = new Set([
    ...[...scraped.values()].flatMap((metric) => metric.samples.map(({name}) => name)),
    ...declaredMetrics.flatMap(({name, buckets}) => (buckets ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name])),
  ]);
  const expressions = [
    ...charts.flatMap(({targets}) => targets!.map(({expr}) => expr)),
    ...dashboard.templating.list.flatMap(({definition}) =>
      definition === undefined ? [] : [definition.replace(/label_values\((.*),.*\)/, '$1')],
    ),
    ...alerts.map(({expr}) => expr),
  ];
  t.true(expressions.length > 50);
  for (const expression of expressions) {
    const names = metricsIn(expression);
    t.true(names.length > 0, expression);
    for (const name of names) t.true(samples.has(name), `${name} in ${expression}`);
  }
  t.false(samples.has('orch_store_lag'));
});

test('the table of metrics in docs/operations/monitoring.md has every metric, with its stability, labels and meaning', (t) => {
  const text = readFileSync(join(projectRoot(), 'docs/operations/monitoring.md'), 'utf8');
  for (const {name, stability, labels = [], help, buckets} of declaredMetrics) {
    const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    t.truthy(row, name);
    const [, , type, told, meaning] = row!.split('|').map((cell) => cell.trim());
    t.is(type!.startsWith('stable '), stability === 'STABLE', name);
    t.is(type!.endsWith('histogram'), buckets !== undefined, name);
    t.deepEqual(told === '' ? [] : told!.split(' ').map((label) => label.slice(1, -1)), [...labels], name);
    t.is(meaning, help, name);
  }
});

test('panels and alerts have names of their own, and panels do not lie on each other', (t) => {
  t.is(new Set(dashboard.panels.map(({id}) => id)).size, dashboard.panels.length);
  t.is(new Set(charts.map(({title}) => title)).size, charts.length);
  t.is(new Set(alerts.map(({alert}) => alert)).size, alerts.length);
  const taken = new Set<string>();
  for (const {gridPos} of dashboard.panels as unknown as {gridPos: {x: number; y: number; w: number; h: number}}[]) {
    t.true(gridPos.x + gridPos.w <= 24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        t.false(taken.has(`${x} ${y}`));
        taken.add(`${x} ${y}`);
      }
  }
});

whereInstalled('promtool', 'prometheus')(
  "promtool accepts the rules and a scrape, and Prometheus scrapes a server with a service account's token and evaluates the rules",
  async (t) => {
    const run = promisify(execFile);
    const dir = tempFolder(t);
    await run('promtool', ['check', 'rules', join(folder, 'alerts.yaml')]);
    const {client} = server;
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    t.is((await client.post(accounts, {metadata: {name: 'prometheus'}})).status, 201);
    const answer = await client.post(`${accounts}/prometheus/token`, {spec: {expirationSeconds: 3600}});
    t.is(answer.status, 201, answer.body.toString());
    writeFileSync(join(dir, 'token'), answer.json<{status: {token: string}}>().status.token);
    writeFileSync(join(dir, 'ca.crt'), await readServerFile(server, 'pki', 'ca.crt'));
    const port = await freePort();
    const {host} = new URL(server.url);
    writeFileSync(
      join(dir, 'prometheus.yml'),
      JSON.stringify({
        global: {scrape_interval: '1s', evaluation_interval: '1s'},
        rule_files: [join(folder, 'alerts.yaml')],
        scrape_configs: [
          {
            job_name: 'orch',
            scheme: 'https',
            authorization: {credentials_file: join(dir, 'token')},
            tls_config: {ca_file: join(dir, 'ca.crt')},
            static_configs: [{targets: [host]}],
          },
        ],
      }),
    );
    mkdirSync(join(dir, 'data'));
    const prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(dir, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(dir, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      {stdio: 'ignore'},
    );
    t.teardown(async () => {
      if (prometheus.exitCode !== null) return;
      prometheus.kill();
      await once(prometheus, 'exit');
    });
    const ask = async <T>(path: string): Promise<T | undefined> => {
      try {
        return ((await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as {data: T}).data;
      } catch {
        return undefined;
      }
    };
    type Targets = {activeTargets: {health: string; lastError: string}[]};
    const health = (wanted: string) =>
      eventually(
        async () => (await ask<Targets>('targets'))?.activeTargets[0],
        (target) => target?.health === wanted,
      );
    // Its account may not yet.
    t.regex((await health('down'))!.lastError, /403/);
    const binding = {
      metadata: {name: 'prometheus'},
      roleRef: {apiGroup: 'rbac.authorization.orch', kind: 'ClusterRole', name: 'system:monitoring'},
      subjects: [{kind: 'ServiceAccount', name: 'prometheus', namespace: 'default'}],
    };
    t.is((await client.post('/apis/rbac.authorization.orch/v1/clusterrolebindings', binding)).status, 201);
    t.is((await health('up'))!.lastError, '');
    type Evaluated = {groups: {rules: {name: string; health: string; state: string}[]}[]};
    const evaluated = await eventually(
      async () => (await ask<Evaluated>('rules'))?.groups.flatMap((group) => group.rules) ?? [],
      (known) => known.length === alerts.length && known.every((rule) => rule.health === 'ok'),
    );
    t.deepEqual(
      evaluated.filter((rule) => rule.health !== 'ok'),
      [],
    );
    type Result = {result: {metric: Record<string, string>; value: [number, string]}[]};
    const objects = await ask<Result>(`query?query=${encodeURIComponent('apiserver_storage_objects{resource="serviceaccounts"}')}`);
    t.true(Number(objects!.result[0]!.value[1]) >= 1);
  },
);
