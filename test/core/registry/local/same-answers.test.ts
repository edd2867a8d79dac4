import test, {type ExecutionContext} from 'ava';
import {join} from 'node:path';
import {orch} from '../../../../core/api/naming/orch.js';
import {LocalClient} from '../../../../core/registry/local/local-client.js';
import {createServer, type Server} from '../../../../core/server/index.js';
import {StatusError, type ApiObject, type ResourceRef, type WatchEvent} from '../../../../sdk/index.js';
import {TestClient, type TestResponse} from '../../../../testing/test-client.js';
import {definition, definitionsPath, version} from '../../../plugins/resources/apiextensions/definition-fixture.js';
import {eventually} from '../../../helpers/eventually.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {cases, configMaps, deployments, leases, pods, reviews, stored, storedPod, widgets, type Case} from './same-answers-cases.js';

/** What an operation came to: what it answers, or the Status of its failure. */
type Outcome = {readonly answer: unknown} | {readonly failure: unknown};

const manager = 'same';
const cleanups: (() => void | Promise<void>)[] = [];
let server: Server;
let client: TestClient;
let local: LocalClient;

test.before(async () => {
  const dataDir = tempFolder({teardown: (work) => void cleanups.push(work)});
  server = await createServer({store: 'memory', securePort: 0, dataDir, controllers: ['*', '-garbagecollector']});
  await server.start();
  client = await TestClient.open(server.url, join(server.paths.dataDir, 'pki'));
  local = new LocalClient({username: manager, groups: ['system:masters', 'system:authenticated']}, orch, {registry: server.registry!});
  const spec = {type: 'object', properties: {size: {type: 'integer'}, replicas: {type: 'integer'}}};
  const scaled = {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas'};
  await client.post(definitionsPath, definition('same.example.com', [version(spec, {subresources: {status: {}, scale: scaled}})]));
  await eventually(
    async () => (await client.get('/apis/same.example.com/v1')).status,
    (status) => status === 200,
  );
});
test.after.always(async () => {
  client.close();
  await server.stop();
  for (const work of cleanups) await work();
});

for (const [index, one] of cases.entries()) {
  test(`${one.verb}: ${one.title}: the answer is the same from outside and from inside (${index + 1})`, async (t) => {
    const [outside, inside] = [`space-${index}-outside`, `space-${index}-inside`];
    for (const namespace of [outside, inside]) await prepare(t, one, namespace);
    const answers = [neutral(await fromOutside(one, outside), outside), neutral(await fromInside(one, inside), inside)];
    t.deepEqual(answers[1], answers[0]);
    t.deepEqual(await stateOf(inside), await stateOf(outside), 'what is there afterwards');
  });
}

async function prepare(t: ExecutionContext, one: Case, namespace: string): Promise<void> {
  t.is((await client.post('/api/v1/namespaces', {metadata: {name: namespace}})).status, 201);
  // Only for those who ask for pods: these have to wait for their service account.
  const wanted = one.ref === pods ? [...stored, storedPod] : stored;
  if (one.ref === pods) {
    const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
    await eventually(
      async () => (await client.get(account)).status,
      (status) => status === 200,
    );
  }
  for (const [ref, object] of wanted) t.is((await client.post(pathOf(ref, namespace), object)).status, 201);
  // A controller makes one more, sooner or later.
  if ((one.ref ?? configMaps) !== configMaps) return;
  await eventually(
    async () => (await local.list(configMaps, namespace)).items,
    (items) => items.some(({metadata}) => metadata.name?.includes('root-ca')),
  );
}

/** All that a namespace holds, without what differs from one namespace to the other. */
async function stateOf(namespace: string): Promise<unknown> {
  const lists = [configMaps, deployments, widgets, leases, pods].map(async (ref) => (await local.list(ref, namespace)).items);
  return neutral({answer: (await Promise.all(lists)).flat().filter(({metadata}) => !metadata.name?.includes('root-ca'))}, namespace);
}

function pathOf({group, version: name, resource}: ResourceRef, namespace: string, ...more: string[]): string {
  const root = group === '' ? `/api/${name}` : `/apis/${group}/${name}`;
  const scope = resource === reviews.resource ? '' : `/namespaces/${namespace}`;
  return [`${root}${scope}/${resource}`, ...more.filter((part) => part !== '')].join('/');
}

function queryOf(parameters: object): string {
  const entries = Object.entries(parameters).map(([name, value]): [string, string] => [name, name === 'dryRun' ? 'All' : String(value)]);
  return `?${new URLSearchParams(entries).toString()}`;
}

async function fromOutside(one: Case, namespace: string): Promise<Outcome> {
  const {ref = configMaps} = one;
  const path = (...more: string[]) => pathOf(ref, namespace, ...more);
  const writing = (options: object = {}) => queryOf({fieldManager: manager, fieldValidation: 'Strict', ...options});
  const outcome = (response: TestResponse): Outcome => (response.status < 300 ? {answer: response.json()} : {failure: response.json()});
  switch (one.verb) {
    case 'get':
      return outcome(
        await client.get(
          path(one.name, one.subresource ?? '') + queryOf(one.resourceVersion ? {resourceVersion: one.resourceVersion} : {}),
        ),
      );
    case 'list':
      return typed(outcome(await client.get(path() + queryOf(one.options ?? {}))));
    case 'create':
      return created(one, namespace);
    case 'update':
      return outcome(await client.put(path(one.object.metadata.name, one.subresource ?? '') + writing(one.options), one.object));
    case 'patch': {
      const {form = 'merge', ...options} = one.options ?? {};
      return outcome(await client.patch(path(one.name, one.subresource ?? '') + writing(options), one.patch, mediaTypes[form] ?? form));
    }
    case 'apply': {
      const where = path(one.object.metadata.name, one.subresource ?? '');
      return outcome(await client.patch(where + writing(one.options), one.object, 'application/apply-patch+yaml'));
    }
    case 'delete':
      return done(outcome(await client.delete(path(one.name) + queryOf(one.options ?? {}))));
    case 'deleteCollection':
      return done(outcome(await client.delete(path() + queryOf(one.options ?? {}))));
    case 'watch': {
      const response = await client.get(path() + queryOf({...one.options, watch: true, timeoutSeconds: 1}));
      if (response.status !== 200) return {failure: response.json()};
      const lines = response.body
        .toString()
        .split('\n')
        .filter((line) => line !== '');
      return {answer: lines.map((line) => JSON.parse(line) as unknown)};
    }
  }
}

/** Outside, a list of a built-in type says the type for all of its members. */
function typed(outcome: Outcome): Outcome {
  if (!('answer' in outcome)) return outcome;
  const list = outcome.answer as {apiVersion: string; kind: string; items: object[]};
  const type = {apiVersion: list.apiVersion, kind: list.kind.replace(/List$/, '')};
  return {answer: {...list, items: list.items.map((item) => ({...type, ...item}))}};
}

async function created(one: Case & {verb: 'create'}, namespace: string): Promise<Outcome> {
  const {on, ...options} = one.options ?? {};
  const path = pathOf(one.ref ?? configMaps, namespace, ...(on ? [on.name, on.subresource] : []));
  const response = await client.post(path + queryOf({fieldManager: manager, fieldValidation: 'Strict', ...options}), one.object);
  return response.status < 300 ? {answer: response.json()} : {failure: response.json()};
}

const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

async function fromInside(one: Case, namespace: string): Promise<Outcome> {
  const {ref = configMaps} = one;
  const ask = async (): Promise<unknown> => {
    switch (one.verb) {
      case 'get':
        return local.get(ref, namespace, one.name, {
          ...(one.resourceVersion ? {resourceVersion: one.resourceVersion} : {}),
          ...(one.subresource ? {subresource: one.subresource} : {}),
        });
      case 'list':
        return local.list(ref, namespace, one.options);
      case 'create':
        return local.create(ref, namespace, one.object as ApiObject, one.options);
      case 'update':
        return local.update(ref, namespace, one.object as ApiObject, one.subresource, one.options);
      case 'patch':
        return local.patch(ref, namespace, one.name, one.patch, one.subresource, one.options);
      case 'apply':
        return local.apply(ref, namespace, one.object as ApiObject, {fieldManager: manager, ...one.options}, one.subresource);
      case 'delete':
        return local.delete(ref, namespace, one.name, one.options);
      case 'deleteCollection':
        return local.deleteCollection(ref, namespace, one.options);
      case 'watch':
        return watched(local.watch(ref, namespace, {...one.options, signal: AbortSignal.timeout(1000)}));
    }
  };
  try {
    const answer = await ask();
    return one.verb === 'delete' || one.verb === 'deleteCollection' ? done({answer}) : {answer};
  } catch (error) {
    if (!StatusError.is(error)) throw error;
    return {failure: error.toStatus()};
  }
}

/** From inside a deletion answers nothing. */
function done(outcome: Outcome): Outcome {
  return 'failure' in outcome ? outcome : {answer: 'done'};
}

async function watched(events: AsyncIterable<WatchEvent>): Promise<WatchEvent[]> {
  const seen: WatchEvent[] = [];
  for await (const event of events) if (event.type !== 'BOOKMARK') seen.push(event);
  return seen;
}

const passing = new Set(['creationTimestamp', 'deletionTimestamp', 'time', 'lastTransitionTime', 'lastUpdateTime']);

/** An outcome without what is never the same twice: times, versions, uids, the namespace. */
function neutral(outcome: Outcome, namespace: string): unknown {
  const text = JSON.stringify(outcome, (name, value: unknown) => {
    if (passing.has(name)) return 'a time';
    if (name === 'resourceVersion') return value === '' ? '' : 'a version';
    if (name === 'continue') return 'a token';
    // Their order depends on the second in which they were written.
    if (name === 'managedFields') return (value as {manager: string}[]).toSorted((a, b) => (a.manager < b.manager ? -1 : 1));
    return value;
  });
  const uid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return JSON.parse(
    text
      .replaceAll(uid, 'a uid')
      .replaceAll(namespace, 'the namespace')
      .replaceAll(/(?<=object meta: |in record \()\d+/g, 'a version')
      // The order of members depends on whether the object was read or written last.
      .replaceAll(/(?<=Invalid value: )(?:\\*")?\{.*?…/g, 'an object'),
  );
}
