import {request} from 'node:https';
import type {IncomingMessage} from 'node:http';
import type {ExecutionContext} from 'ava';
import {readServerFile, type TestServer} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {isOnInTestRelease} from '../helpers/test-release.js';
import {answer, assertFailure} from './answers.js';
import {configMap, widget, widgetsVersion, withFixtures, type ReadObject} from './fixtures.js';
import {openBinary, readFields, text} from './protobuf-reader.js';

const eachStore = testOnEachStore(withFixtures);
const binary = 'application/vnd.orch.protobuf';

/** A watch with its headers and its bytes as they come. */
async function open(
  t: ExecutionContext,
  server: TestServer,
  path: string,
  accept?: string,
): Promise<{response: IncomingMessage; next(): Promise<Buffer | undefined>}> {
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(new URL(path, server.url), {ca, cert, key, headers: accept ? {accept} : {}}, resolve);
    call.once('error', reject).end();
  });
  t.teardown(() => response.destroy());
  const chunks = response[Symbol.asyncIterator]();
  return {response, next: async () => ((await chunks.next()) as IteratorResult<Buffer>).value as Buffer | undefined};
}

eachStore(
  'a watch answers 200 at once, chunked JSON, and each event when it happens, one document a line [A-OPS-2] [A-EVT-5] [A-EVT-6]',
  async (t, {server, client, path}) => {
    const collection = path('configmaps');
    const {response, next} = await open(t, server, `${collection}?watch=1`);
    t.is(response.statusCode, 200);
    t.is(response.headers['content-type'], 'application/json');
    t.is(response.headers['transfer-encoding'], 'chunked');
    for (const name of ['one', 'two']) {
      const made = answer<ReadObject>(t, await client.post(collection, configMap(name, {text: 'line\nbreak'})), 201);
      const chunk = (await next())!.toString();
      t.is(chunk.indexOf('\n'), chunk.length - 1);
      t.deepEqual(JSON.parse(chunk), {type: 'ADDED', object: made});
    }
  },
);

/** A bookmark that ends what was there at the beginning, where the release sends one. */
const afterTheFirst = isOnInTestRelease('WatchList') ? ['BOOKMARK'] : [];

eachStore('a watch in binary form is a sequence of events with their length before them', async (t, {server, client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one', {a: '1'}));
  const {response, next} = await open(
    t,
    server,
    `${collection}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true`,
    `${binary};stream=watch`,
  );
  t.is(response.headers['content-type'], `${binary};stream=watch`);
  await client.patch(`${collection}/one`, {data: {a: '2'}});
  const parts: Buffer[] = [];
  for (let part = await next(); part; part = await next()) parts.push(part);
  const bytes = Buffer.concat(parts);
  const types: string[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = bytes.readUInt32BE(offset);
    const event = readFields(bytes.subarray(offset + 4, offset + 4 + length));
    offset += 4 + length;
    types.push(text(event, 1));
    const {kind, apiVersion, raw} = openBinary(readFields(event.get(2)![0] as Buffer).get(1)![0] as Buffer);
    t.deepEqual([kind, apiVersion], ['ConfigMap', 'v1']);
    const metadata = readFields(raw.get(1)![0] as Buffer);
    t.is(text(metadata, 1), types.at(-1) === 'BOOKMARK' ? '' : 'one');
    t.regex(text(metadata, 6), /^\d+$/);
  }
  t.deepEqual(types, ['ADDED', ...afterTheFirst, 'MODIFIED', 'BOOKMARK']);
});

eachStore(
  'a watch as a Table has one row an event; the first tells the columns, a bookmark the version',
  async (t, {server, client, path}) => {
    const collection = path('configmaps');
    const first = answer<ReadObject>(t, await client.post(collection, configMap('one', {a: '1'})), 201);
    const {response, next} = await open(
      t,
      server,
      `${collection}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true`,
      'application/json;as=Table;g=meta.orch;v=v1',
    );
    t.is(response.statusCode, 200);
    const second = answer<ReadObject>(t, await client.post(collection, configMap('two')), 201);
    let received = '';
    for (let part = await next(); part; part = await next()) received += part.toString();
    const sent = received
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            type: string;
            object: {
              kind: string;
              apiVersion: string;
              metadata: object;
              columnDefinitions: {name: string}[] | null;
              rows: {cells: unknown[]; object: ReadObject}[];
            };
          },
      );
    t.deepEqual(
      sent.map(({type}) => type),
      ['ADDED', ...afterTheFirst, 'ADDED', 'BOOKMARK'],
    );
    const events = sent.filter(({type}, at) => type !== 'BOOKMARK' || at === sent.length - 1);
    t.deepEqual(
      events.map(({object}) => `${object.apiVersion} ${object.kind}`),
      Array(3).fill('meta.orch/v1 Table'),
    );
    t.deepEqual(
      events.map(({object}) => object.columnDefinitions?.map(({name}) => name)),
      [['Name', 'Data', 'Age'], undefined, undefined],
    );
    t.deepEqual(
      events.slice(0, 2).map(({object}) => object.rows.map(({cells}) => cells.slice(0, 2))),
      [[['one', 1]], [['two', 0]]],
    );
    t.deepEqual(
      events.slice(0, 2).map(({object}) => object.rows[0]!.object.metadata.uid),
      [first, second].map(({metadata}) => metadata.uid),
    );
    t.is(events[0]!.object.rows[0]!.object.kind, 'PartialObjectMetadata');
    t.regex(events[2]!.object.rows[0]!.object.metadata.resourceVersion, /^\d+$/);
  },
);

eachStore('a watch of metadata alone leaves the rest out', async (t, {server, client, path}) => {
  const collection = path('widgets', widgetsVersion);
  const made = answer<ReadObject>(t, await client.post(collection, widget('one')), 201);
  const {next} = await open(t, server, `${collection}?watch=1`, 'application/json;as=PartialObjectMetadata;g=meta.orch;v=v1');
  t.deepEqual(JSON.parse((await next())!.toString()), {
    type: 'ADDED',
    object: {kind: 'PartialObjectMetadata', apiVersion: 'meta.orch/v1', metadata: made.metadata},
  });
});

eachStore(
  'the paths of watches before there was `watch=1` are served: of a namespace, of one name, of all namespaces, of cluster-scoped types',
  async (t, {server, client, path}) => {
    const collection = path('configmaps');
    const {
      metadata: {resourceVersion},
    } = answer<ReadObject>(t, await client.post(collection, configMap('one', {a: '1'})), 201);
    await client.post(collection, configMap('two', {a: '2'}));
    await client.post(path('widgets', widgetsVersion), widget('three'));
    const {namespace} = answer<ReadObject>(t, await client.get(`${collection}/one`), 200).metadata;
    const firstOf = async (target: string) => {
      const {response, next} = await open(t, server, target);
      t.is(response.statusCode, 200, target);
      const {type, object} = JSON.parse((await next())!.toString().split('\n')[0]!) as {type: string; object: ReadObject & {kind: string}};
      return `${type} ${object.kind} ${object.metadata.name}`;
    };
    t.is(await firstOf(`/api/v1/watch/namespaces/${namespace!}/configmaps?resourceVersion=${resourceVersion}`), 'ADDED ConfigMap two');
    t.is(await firstOf(`/api/v1/watch/namespaces/${namespace!}/configmaps/two`), 'ADDED ConfigMap two');
    t.is(
      await firstOf(`/api/v1/watch/configmaps?fieldSelector=metadata.namespace%3D${namespace!}%2Cmetadata.name%3Done`),
      'ADDED ConfigMap one',
    );
    t.is(await firstOf(`/apis/${widgetsVersion}/watch/namespaces/${namespace!}/widgets`), 'ADDED Widget three');
    t.is(await firstOf(`/api/v1/watch/namespaces/${namespace!}`), `ADDED Namespace ${namespace!}`);
    assertFailure(t, await client.get(`/api/v1/watch/namespaces/${namespace!}/configmaps/one/status`), 404, 'NotFound');
    assertFailure(t, await client.post(`/api/v1/watch/namespaces/${namespace!}/configmaps`, configMap('four')), 404, 'NotFound');
  },
);

eachStore('a watch in a form that there is not is answered with 406', async (t, {client, path}) => {
  for (const [target, accept] of [
    [path('configmaps'), 'text/html'],
    [path('configmaps'), 'application/yaml'],
    [path('widgets', widgetsVersion), binary],
    [path('configmaps'), 'application/json;as=Rows;g=meta.orch;v=v1'],
  ] as const) {
    const response = await client.get(`${target}?watch=1`, {headers: {accept}});
    t.is(response.status, 406, accept);
    if (!accept.includes('yaml') && accept !== binary) assertFailure(t, response, 406, 'NotAcceptable');
  }
});
