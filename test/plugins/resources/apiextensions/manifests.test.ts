import {until} from '../../../helpers/eventually.js';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {load} from 'js-yaml';
import {startTestServer, type TestClient} from '@orch-api/orch/testing';
import {BuiltInTables} from '../../../helpers/built-in-tables.js';
import {largeDefinition} from '../../../helpers/large-definition.js';
import {manifestFolder, manifestsIn, type Manifest} from '../../../helpers/manifests.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {whereInstalled} from '../../../helpers/where-installed.js';
import {findKubectls, kubectlFor} from '../../../helpers/kubectl.js';
import {faultsOf, type Condition, type Json} from './definition-fixture.js';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function established(client: TestClient, name: string): Promise<void> {
  await until(`${name} to be established`, async () => {
    const {status} = (await client.get(`${definitionsPath}/${name}`)).json<{status: {conditions: Condition[] | null}}>();
    return status.conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True');
  });
}

async function serverWithDefinitions(t: {teardown(work: () => Promise<void>): void}) {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const {client} = server;
  // Definitions of operators hold whole pods: some are larger than everything else together.
  const definitions = [...manifestsIn('crds'), {file: 'large', object: largeDefinition(new BuiltInTables())}];
  for (const {file, object} of definitions) {
    const response = await client.patch(
      `${definitionsPath}/${object.metadata.name}?fieldManager=test&fieldValidation=Strict`,
      JSON.stringify(object),
      'application/apply-patch+yaml',
    );
    if (response.status !== 201) throw new Error(`${file}: ${response.body.toString().slice(0, 2000)}`);
  }
  for (const {object} of definitions) await established(client, object.metadata.name!);
  return {server, client, definitions};
}

test('definitions as operators ship them are established, and their objects accepted', async (t) => {
  const {client, definitions} = await serverWithDefinitions(t);
  t.true(JSON.stringify(definitions).length > 250_000);
  const resources = new Map<string, {name: string; namespaced: boolean}>();
  for (const version of ['v1', 'v1beta1', 'v1alpha2']) {
    const groupVersion = `traffic.example.com/${version}`;
    const list = (await client.get(`/apis/${groupVersion}`)).json<{resources: {kind: string; name: string; namespaced: boolean}[]}>();
    for (const {kind, name, namespaced} of list.resources)
      if (!name.includes('/')) resources.set(`${groupVersion} ${kind}`, {name, namespaced});
  }
  const [others, objects] = [false, true].map((own) =>
    manifestsIn('traffic').filter(({object}) => object.apiVersion!.startsWith('traffic.') === own),
  ) as [Manifest[], Manifest[]];
  t.true(objects.length > 20, `${objects.length} objects`);
  for (const {object} of others) t.is((await client.post('/api/v1/namespaces', object)).status, 201);
  for (const {file, object} of objects) {
    const {name, namespaced} = resources.get(`${object.apiVersion} ${object.kind}`)!;
    const path = `/apis/${object.apiVersion}/${namespaced ? `namespaces/${object.metadata.namespace}/` : ''}${name}/${object.metadata.name}`;
    const response = await client.patch(
      `${path}?fieldManager=test&fieldValidation=Strict&force=true`,
      JSON.stringify(object),
      'application/apply-patch+yaml',
    );
    t.is(response.status, 201, `${file}: ${response.body.toString()}`);
  }
});

/** A route that its definition accepts. */
const route = `
apiVersion: traffic.example.com/v1
kind: Route
metadata: {name: route}
spec:
  parents: [{name: gateway}]
  hostnames: [example.com]
  rules:
  - matches: [{path: {type: PathPrefix, value: /a}, headers: [{name: h, value: v}]}]
    filters: [{type: HeaderModifier, headerModifier: {set: [{name: a, value: b}]}}]
    backends: [{name: service, port: 80, weight: 1}]
`;

type Place = readonly (string | number)[];
const rule: Place = ['spec', 'rules', 0];

/** Where something is put that is wrong, what, and the field that is blamed. */
const broken: readonly (readonly [title: string, place: Place, value: unknown, field: string])[] = [
  ['a number for a text', ['spec', 'hostnames', 0], 5, 'spec.hostnames[0]'],
  ['a text for a list', ['spec', 'hostnames'], 'example.com', 'spec.hostnames'],
  ['an object for a list', ['spec', 'rules'], {}, 'spec.rules'],
  ['a text for a number', [...rule, 'backends', 0, 'port'], '80', 'spec.rules[0].backends[0].port'],
  ['a fraction for a number', [...rule, 'backends', 0, 'weight'], 1.5, 'spec.rules[0].backends[0].weight'],
  ['a list for an object', [...rule, 'matches', 0, 'path'], [], 'spec.rules[0].matches[0].path'],
  ['a missing name', [...rule, 'backends', 0, 'name'], undefined, 'spec.rules[0].backends[0].name'],
  ['a missing value of a header', [...rule, 'matches', 0, 'headers', 0, 'value'], undefined, 'spec.rules[0].matches[0].headers[0].value'],
  ['a missing type of a filter', [...rule, 'filters', 0, 'type'], undefined, 'spec.rules[0].filters[0].type'],
  ['a missing name of a parent', ['spec', 'parents', 0, 'name'], undefined, 'spec.parents[0].name'],
  ['an unknown kind of match', [...rule, 'matches', 0, 'path', 'type'], 'Fuzzy', 'spec.rules[0].matches[0].path.type'],
  ['an unknown filter', [...rule, 'filters', 0, 'type'], 'Sepia', 'spec.rules[0].filters[0].type'],
  ['an unknown method', [...rule, 'matches', 0, 'method'], 'FETCH', 'spec.rules[0].matches[0].method'],
  ['an unknown kind of header match', [...rule, 'matches', 0, 'headers', 0, 'type'], 'Loose', 'spec.rules[0].matches[0].headers[0].type'],
  ['a hostname in upper case', ['spec', 'hostnames', 0], 'Example.com', 'spec.hostnames[0]'],
  ['a hostname with a wildcard inside', ['spec', 'hostnames', 0], 'a.*.com', 'spec.hostnames[0]'],
  ['an empty hostname', ['spec', 'hostnames', 0], '', 'spec.hostnames[0]'],
  ['a hostname that is too long', ['spec', 'hostnames', 0], `${'a'.repeat(260)}.com`, 'spec.hostnames[0]'],
  ['too many hostnames', ['spec', 'hostnames'], Array.from({length: 17}, (_item, index) => `h${index}.com`), 'spec.hostnames'],
  ['a name of a header with a space', [...rule, 'matches', 0, 'headers', 0, 'name'], 'a b', 'spec.rules[0].matches[0].headers[0].name'],
  ['an empty value of a header', [...rule, 'matches', 0, 'headers', 0, 'value'], '', 'spec.rules[0].matches[0].headers[0].value'],
  ['a port of 0', [...rule, 'backends', 0, 'port'], 0, 'spec.rules[0].backends[0].port'],
  ['a port beyond the last', [...rule, 'backends', 0, 'port'], 65536, 'spec.rules[0].backends[0].port'],
  ['a negative weight', [...rule, 'backends', 0, 'weight'], -1, 'spec.rules[0].backends[0].weight'],
  ['a weight beyond the highest', [...rule, 'backends', 0, 'weight'], 1_000_001, 'spec.rules[0].backends[0].weight'],
  ['no rule at all', ['spec', 'rules'], [], 'spec.rules'],
  ['too many rules', ['spec', 'rules'], Array.from({length: 17}, () => ({})), 'spec.rules'],
  [
    'a header twice',
    [...rule, 'matches', 0, 'headers'],
    [
      {name: 'h', value: '1'},
      {name: 'h', value: '2'},
    ],
    'spec.rules[0].matches[0].headers[1]',
  ],
  [
    'a query parameter twice',
    [...rule, 'matches', 0, 'queryParams'],
    [
      {name: 'q', value: '1'},
      {name: 'q', value: '2'},
    ],
    'spec.rules[0].matches[0].queryParams[1]',
  ],
  ['a path without a slash', [...rule, 'matches', 0, 'path', 'value'], 'a', 'spec.rules[0].matches[0].path'],
  ['a path with two slashes', [...rule, 'matches', 0, 'path', 'value'], '/a//b', 'spec.rules[0].matches[0].path'],
  ['a path that climbs', [...rule, 'matches', 0, 'path', 'value'], '/a/../b', 'spec.rules[0].matches[0].path'],
  ['a path with odd letters', [...rule, 'matches', 0, 'path', 'value'], '/a b', 'spec.rules[0].matches[0].path'],
  ['a service without a port', [...rule, 'backends', 0, 'port'], undefined, 'spec.rules[0].backends[0]'],
  ['settings of another filter', [...rule, 'filters', 0, 'mirror'], {backend: {name: 's', port: 80}}, 'spec.rules[0].filters[0]'],
  ['a filter without settings', [...rule, 'filters', 0, 'headerModifier'], undefined, 'spec.rules[0].filters[0]'],
  ['a redirect together with backends', [...rule, 'filters'], [{type: 'Redirect', redirect: {}}], 'spec.rules[0]'],
  [
    'two rewrites',
    [...rule, 'filters'],
    [
      {type: 'Rewrite', rewrite: {}},
      {type: 'Rewrite', rewrite: {}},
    ],
    'spec.rules[0].filters',
  ],
  [
    'a status code that is none of those',
    [...rule, 'filters'],
    [{type: 'Redirect', redirect: {statusCode: 200}}],
    'spec.rules[0].filters[0].redirect.statusCode',
  ],
  ['a timeout that is none', [...rule, 'timeouts'], {request: 'soon'}, 'spec.rules[0].timeouts.request'],
  ['a request timeout below that of its backend', [...rule, 'timeouts'], {request: '1s', backend: '2s'}, 'spec.rules[0].timeouts'],
  ['an unknown field', [...rule, 'colour'], 'red', 'spec.rules[0].colour'],
  ['an unknown field deep inside', [...rule, 'matches', 0, 'path', 'colour'], 'red', 'spec.rules[0].matches[0].path.colour'],
];

function put(object: unknown, place: Place, value: unknown): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return value;
  if (typeof step === 'number') return (object as unknown[]).map((item, index) => (index === step ? put(item, rest, value) : item));
  return {...(object as Json), [step]: put((object as Json)[step], rest, value)};
}

test('broken objects of such a type are refused with the field that is wrong', async (t) => {
  const {client} = await serverWithDefinitions(t);
  const url = '/apis/traffic.example.com/v1/namespaces/default/routes?dryRun=All&fieldValidation=Strict';
  const good = load(route);
  t.deepEqual(faultsOf(await client.post(url, good)), []);
  for (const [title, place, value, field] of broken) {
    const faults = faultsOf(await client.post(url, put(good, place, value)));
    t.true(
      faults.some((fault) => fault.startsWith(`${field}: `) || (fault.startsWith('400 ') && fault.includes(field))),
      `${title}: ${faults.join('; ') || 'accepted'}`,
    );
  }
});

const [kubectlBinary] = findKubectls().slice(-1);

whereInstalled('kubectl')('kubectl applies, explains and lists definitions as operators ship them, and their objects', async (t) => {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const kubectl = kubectlFor(t, kubectlBinary!, server.kubeconfig);
  const large = join(tempFolder(t), 'large.json');
  writeFileSync(large, JSON.stringify(largeDefinition(new BuiltInTables())));
  await kubectl.ok(['apply', '--server-side', '-f', manifestFolder('crds'), '-f', large], {timeoutMillis: 60_000});
  await kubectl.ok(['wait', '--for=condition=Established', '--timeout=20s', 'crd', '--all']);
  await kubectl.ok(['apply', '-f', '-'], {input: route});
  t.regex(await kubectl.ok(['get', 'routes']), /NAME\s+HOSTS\s+AGE\s+route\s+\["example.com"\]/);
  t.regex(await kubectl.ok(['explain', 'route.spec.rules.backends.weight']), /weight/i);
  t.regex(await kubectl.ok(['get', 'traffic', '-o', 'name']), /route.traffic.example.com\/route/);
  await kubectl.ok(['apply', '-f', manifestFolder('traffic')], {timeoutMillis: 60_000});
  t.regex(
    await kubectl.ok(['get', 'gtw', '-n', 'infra', '--field-selector', 'spec.className=inner', '-o', 'name']),
    /^\S+\/fixed-address\n$/,
  );
  await kubectl.ok(['delete', 'crd', 'routes.traffic.example.com']);
  t.not((await kubectl.run(['get', 'routes'])).code, 0);
});
