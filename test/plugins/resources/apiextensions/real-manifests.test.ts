import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {until} from '../../../helpers/eventually.js';
import {join} from 'node:path';
import test from 'ava';
import {load, loadAll} from 'js-yaml';
import {startTestServer, type TestClient} from '../../../../sdk/testing/index.js';
import {projectRoot} from '../../../helpers/project-root.js';
import {findKubectls, kubectlFor} from '../../../helpers/kubectl.js';
import {faultsOf, type Condition, type Json} from './definition-fixture.js';

const folder = join(projectRoot(), '../shared/manifests');
const wherePresent = existsSync(folder) ? test : test.skip;
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Manifest extends Json {
  apiVersion: string;
  kind: string;
  metadata: {name: string; namespace?: string};
}

function manifestsBelow(name: string): {file: string; object: Manifest}[] {
  const files = readdirSync(join(folder, name), {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.yaml'));
  return files.flatMap((file) =>
    (loadAll(readFileSync(join(folder, name, file), 'utf8')) as (Manifest | null)[]).flatMap((object) => (object ? [{file, object}] : [])),
  );
}

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
  const definitions = manifestsBelow('crds');
  for (const {file, object} of definitions) {
    const response = await client.patch(
      `${definitionsPath}/${object.metadata.name}?fieldManager=test&fieldValidation=Strict`,
      JSON.stringify(object),
      'application/apply-patch+yaml',
    );
    if (response.status !== 201) throw new Error(`${file}: ${response.body.toString().slice(0, 2000)}`);
  }
  for (const {object} of definitions) await established(client, object.metadata.name);
  return {server, client, definitions};
}

wherePresent('the definitions of real projects are established, and objects of real projects accepted', async (t) => {
  const {client} = await serverWithDefinitions(t);
  const resources = new Map<string, {name: string; namespaced: boolean}>();
  for (const groupVersion of [
    'gateway.networking.k8s.io/v1',
    'gateway.networking.k8s.io/v1beta1',
    'gateway.networking.k8s.io/v1alpha2',
    'gateway.networking.k8s.io/v1alpha3',
  ]) {
    const response = await client.get(`/apis/${groupVersion}`);
    if (response.status !== 200) continue;
    for (const {kind, name, namespaced} of response.json<{resources: {kind: string; name: string; namespaced: boolean}[]}>().resources) {
      if (!name.includes('/')) resources.set(`${groupVersion} ${kind}`, {name, namespaced});
    }
  }
  const objects = manifestsBelow('apps/gateway-api').filter(
    ({object}) => object.apiVersion.startsWith('gateway.') && resources.has(`${object.apiVersion} ${object.kind}`),
  );
  t.true(objects.length > 20, `${objects.length} objects`);
  for (const namespace of new Set(objects.flatMap(({object}) => object.metadata.namespace ?? [])))
    await client.post('/api/v1/namespaces', {metadata: {name: namespace}});
  for (const {file, object} of objects) {
    const {name, namespaced} = resources.get(`${object.apiVersion} ${object.kind}`)!;
    const path = `/apis/${object.apiVersion}/${namespaced ? `namespaces/${object.metadata.namespace ?? 'default'}/` : ''}${name}/${object.metadata.name}`;
    const response = await client.patch(
      `${path}?fieldManager=test&fieldValidation=Strict&force=true`,
      JSON.stringify(object),
      'application/apply-patch+yaml',
    );
    t.true(response.status === 201 || response.status === 200, `${file}: ${response.body.toString()}`);
  }
});

/** A route that the definition of HTTPRoute accepts. */
const route = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: route}
spec:
  parentRefs: [{name: gateway}]
  hostnames: [example.com]
  rules:
  - matches: [{path: {type: PathPrefix, value: /a}, headers: [{name: h, value: v}]}]
    filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: a, value: b}]}}]
    backendRefs: [{name: service, port: 80, weight: 1}]
`;

type Place = readonly (string | number)[];
const rule: Place = ['spec', 'rules', 0];

/** Where something is put that is wrong, what, and the field that is blamed. */
const broken: readonly (readonly [title: string, place: Place, value: unknown, field: string])[] = [
  ['a number for a text', ['spec', 'hostnames', 0], 5, 'spec.hostnames[0]'],
  ['a text for a list', ['spec', 'hostnames'], 'example.com', 'spec.hostnames'],
  ['an object for a list', ['spec', 'rules'], {}, 'spec.rules'],
  ['a text for a number', [...rule, 'backendRefs', 0, 'port'], '80', 'spec.rules[0].backendRefs[0].port'],
  ['a fraction for a number', [...rule, 'backendRefs', 0, 'weight'], 1.5, 'spec.rules[0].backendRefs[0].weight'],
  ['a list for an object', [...rule, 'matches', 0, 'path'], [], 'spec.rules[0].matches[0].path'],
  ['a missing name', [...rule, 'backendRefs', 0, 'name'], undefined, 'spec.rules[0].backendRefs[0].name'],
  ['a missing value of a header', [...rule, 'matches', 0, 'headers', 0, 'value'], undefined, 'spec.rules[0].matches[0].headers[0].value'],
  ['a missing type of a filter', [...rule, 'filters', 0, 'type'], undefined, 'spec.rules[0].filters[0].type'],
  ['a missing name of a parent', ['spec', 'parentRefs', 0, 'name'], undefined, 'spec.parentRefs[0].name'],
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
  ['a port of 0', [...rule, 'backendRefs', 0, 'port'], 0, 'spec.rules[0].backendRefs[0].port'],
  ['a port beyond the last', [...rule, 'backendRefs', 0, 'port'], 65536, 'spec.rules[0].backendRefs[0].port'],
  ['a negative weight', [...rule, 'backendRefs', 0, 'weight'], -1, 'spec.rules[0].backendRefs[0].weight'],
  ['a weight beyond the highest', [...rule, 'backendRefs', 0, 'weight'], 1_000_001, 'spec.rules[0].backendRefs[0].weight'],
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
  ['a service without a port', [...rule, 'backendRefs', 0, 'port'], undefined, 'spec.rules[0].backendRefs[0]'],
  ['settings of another filter', [...rule, 'filters', 0, 'requestMirror'], {backendRef: {name: 's', port: 80}}, 'spec.rules[0].filters[0]'],
  ['a filter without settings', [...rule, 'filters', 0, 'requestHeaderModifier'], undefined, 'spec.rules[0].filters[0]'],
  ['a redirect together with backends', [...rule, 'filters'], [{type: 'RequestRedirect', requestRedirect: {}}], 'spec.rules[0]'],
  [
    'two rewrites',
    [...rule, 'filters'],
    [
      {type: 'URLRewrite', urlRewrite: {}},
      {type: 'URLRewrite', urlRewrite: {}},
    ],
    'spec.rules[0].filters',
  ],
  [
    'a status code that is none of those',
    [...rule, 'filters'],
    [{type: 'RequestRedirect', requestRedirect: {statusCode: 200}}],
    'spec.rules[0].filters[0].requestRedirect.statusCode',
  ],
  ['a timeout that is none', [...rule, 'timeouts'], {request: 'soon'}, 'spec.rules[0].timeouts.request'],
  ['a request timeout below that of its backend', [...rule, 'timeouts'], {request: '1s', backendRequest: '2s'}, 'spec.rules[0].timeouts'],
  ['an unknown field', [...rule, 'colour'], 'red', 'spec.rules[0].colour'],
  ['an unknown field deep inside', [...rule, 'matches', 0, 'path', 'colour'], 'red', 'spec.rules[0].matches[0].path.colour'],
];

function put(object: unknown, place: Place, value: unknown): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return value;
  if (typeof step === 'number') return (object as unknown[]).map((item, index) => (index === step ? put(item, rest, value) : item));
  return {...(object as Json), [step]: put((object as Json)[step], rest, value)};
}

wherePresent('broken objects of a real type are refused with the field that is wrong', async (t) => {
  const {client} = await serverWithDefinitions(t);
  const url = '/apis/gateway.networking.k8s.io/v1/namespaces/default/httproutes?dryRun=All&fieldValidation=Strict';
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
const withKubectl = kubectlBinary && existsSync(folder) ? test : test.skip;

withKubectl('kubectl applies, explains and lists real definitions and their objects', async (t) => {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const kubectl = kubectlFor(t, kubectlBinary!, server.kubeconfig);
  await kubectl.ok(['apply', '--server-side', '-R', '-f', join(folder, 'crds')], {timeoutMillis: 60_000});
  await kubectl.ok(['wait', '--for=condition=Established', '--timeout=20s', 'crd', '--all']);
  await kubectl.ok(['apply', '-f', '-'], {input: route});
  t.regex(await kubectl.ok(['get', 'httproutes']), /NAME\s+HOSTNAMES\s+AGE\s+route\s+\["example.com"\]/);
  t.regex(await kubectl.ok(['explain', 'httproute.spec.rules.backendRefs.weight']), /weight/i);
  t.regex(await kubectl.ok(['get', 'gateway-api', '-o', 'name']), /httproute.gateway.networking.k8s.io\/route/);
  await kubectl.ok(['delete', 'crd', 'httproutes.gateway.networking.k8s.io']);
  t.not((await kubectl.run(['get', 'httproutes'])).code, 0);
});
