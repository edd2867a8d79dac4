import test, {type ExecutionContext} from 'ava';
import {startTestServer} from '@orch-api/orch/testing';

interface Event {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: {readonly name?: string; readonly annotations?: Record<string, string>};
    readonly rows?: readonly unknown[];
  };
}

const collection = '/api/v1/namespaces/default/configmaps';
const watchList = 'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1';
const end = {'k8s.io/initial-events-end': 'true'};

async function start(t: ExecutionContext, release: string, gates: Readonly<Record<string, boolean>> = {}) {
  const server = await startTestServer({
    platform: 'kubernetes',
    release,
    featureGates: gates,
    controllers: [],
    authorizationMode: ['AlwaysAllow'],
  });
  t.teardown(() => server.stop());
  for (const name of ['a', 'b']) await server.client.post(collection, {metadata: {name}});
  const get = (query: string, accept = 'application/json') => server.client.get(`${collection}?${query}`, {headers: {accept}});
  const events = async (query: string, accept?: string) => {
    const {status, body} = await get(query, accept);
    t.is(status, 200, body.toString());
    return body
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Event);
  };
  return {get, events};
}

test.serial('sendInitialEvents turns the list into events, closed by a bookmark that says so, in each form', async (t) => {
  const {get, events} = await start(t, '1.36');
  for (const [accept, kind] of [
    ['application/json', 'ConfigMap'],
    ['application/json;as=Table;g=meta.k8s.io;v=v1', 'Table'],
    ['application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1', 'PartialObjectMetadata'],
  ] as const) {
    const found = await events(`${watchList}&labelSelector=`, accept);
    t.deepEqual(
      found.slice(0, 3).map(({type, object}) => `${type} ${object.kind}`),
      ['ADDED', 'ADDED', 'BOOKMARK'].map((type) => `${type} ${kind}`),
    );
    const mark = found[2]!.object;
    const metadata = kind === 'Table' ? (mark.rows![0] as {object: Event['object']}).object.metadata : mark.metadata;
    t.deepEqual(metadata.annotations, end);
  }
  const binary = (await get(watchList, 'application/vnd.kubernetes.protobuf')).body;
  t.is(binary.toString('latin1').split('BOOKMARK').length, 3);
  t.is(binary.toString('latin1').split('k8s.io/initial-events-end').length, 2);
  // Nothing that exists, but the changes to come.
  t.deepEqual(
    (await events(watchList.replace('true', 'false'))).map(({type}) => type),
    ['BOOKMARK'],
  );
});

test.serial('a watch that begins with what exists marks its end for whoever takes bookmarks', async (t) => {
  const {events} = await start(t, '1.36');
  for (const version of ['', '&resourceVersion=0']) {
    const found = await events(`watch=1&allowWatchBookmarks=true&timeoutSeconds=1${version}`);
    t.deepEqual(found[2]!.object.metadata.annotations, end);
    t.false((await events(`watch=1&timeoutSeconds=1${version}`)).some(({type}) => type === 'BOOKMARK'));
  }
});

for (const [release, gates, allows] of [
  ['1.26', {}, false],
  ['1.31', {}, false],
  ['1.31', {WatchList: true}, true],
  ['1.32', {}, true],
  ['1.33', {}, false],
  ['1.34', {}, true],
  ['1.36', {WatchList: false}, false],
] as const) {
  test.serial(
    `a server of ${release} with ${JSON.stringify(gates)} ${allows ? 'lets clients ask' : 'refuses those that ask'} for initial events`,
    async (t) => {
      const {get} = await start(t, release, gates);
      const {status, body} = await get(watchList);
      t.is(status, allows ? 200 : 422);
      if (!allows)
        t.is(
          (JSON.parse(body.toString()) as {message: string}).message,
          'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
        );
      for (const bad of [
        'watch=1&sendInitialEvents=true',
        `${watchList.replace('NotOlderThan', 'Exact')}&resourceVersion=1`,
        'sendInitialEvents=true',
      ])
        t.is((await get(bad)).status, 422, bad);
    },
  );
}
