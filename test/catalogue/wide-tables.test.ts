import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {findKubectls, kubectlFor} from '../helpers/kubectl.js';
import {clusterTables} from './cluster-tables.js';
import {wideTexts} from './wide-texts.js';
import {workloadTables} from './workload-tables.js';

interface Table {
  readonly columnDefinitions: readonly {name: string; type: string; format: string; priority: number}[];
  readonly rows: readonly {readonly cells: readonly unknown[]}[];
}

const namespace = 'wide-tables';
const binaries = findKubectls();
const oldestAndNewest = [...new Set([binaries.at(0), binaries.at(-1)])].filter((binary) => binary !== undefined);

let server: TestServer;
test.before(async () => {
  // Later releases have more columns.
  server = await startTestServer({platform: 'kubernetes', release: '1.26'});
  const made = await server.client.post('/api/v1/namespaces', {metadata: {name: namespace}});
  if (made.status !== 201) throw new Error(made.body.toString());
});
test.after.always(() => server?.stop());

/** Exchanges the ages of up to 99 seconds below the heading AGE, which do not change the widths of columns. */
function withoutAges(text: string): string {
  const [heading = '', ...lines] = text.split('\n');
  const age = heading.search(/\bAGE\b/);
  if (age === -1) return text;
  return [
    heading,
    ...lines.map(
      (line) =>
        line.slice(0, age) +
        line
          .slice(age)
          .replace(/^\d{1,2}s( *)$/, '0s$1')
          .replace(/^\d{1,2}s +/, (found) => '0s'.padEnd(found.length)),
    ),
  ].join('\n');
}

for (const {path, kind, objects, columns, rows} of [...workloadTables, ...clusterTables]) {
  const resource = path.split('/').at(-1)!;
  test(`the wide Table of ${resource} and the wide form that kubectl prints are as they are written down, to the byte`, async (t) => {
    const {client} = server;
    const collection = path.replace('NS', namespace);
    for (const {object, status} of objects) {
      const made = await client.post(collection, JSON.stringify(object).replaceAll('"NS"', JSON.stringify(namespace)));
      t.is(made.status, 201, made.body.toString());
      if (status === undefined) continue;
      const {name} = made.json<{metadata: {name: string}}>().metadata;
      const reported = await client.patch(`${collection}/${name}/status`, {status});
      t.is(reported.status, 200, `${kind}: ${reported.body.toString()}`);
    }
    const response = await client.get(collection, {headers: {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io'}});
    const table = response.json<Table>();
    const shown = table.columnDefinitions.map(({name, type, format, priority}) => [name, type, format, priority]);
    t.is(JSON.stringify(shown), JSON.stringify(columns));
    const age = shown.findIndex(([name]) => name === 'Age');
    const cells = table.rows.map((row) => row.cells.map((cell, index) => (index === age && /^\d+s$/.test(String(cell)) ? 'AGE' : cell)));
    t.deepEqual(
      cells.map((row) => JSON.stringify(row)),
      rows.map((row) => JSON.stringify(row)),
    );
    for (const binary of oldestAndNewest) {
      const printed = await kubectlFor(t, binary, server.kubeconfig).ok(['-n', namespace, 'get', resource, '-o', 'wide']);
      t.is(withoutAges(printed), `${(wideTexts[resource] ?? []).join('\n')}\n`, `1.${binary.minor}`);
    }
  });
}
