import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {WebSocket} from 'ws';
import {types} from '@orch-api/orch/client';
import {eventually, readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {WatchEvent} from '@orch-api/orch/sdk';
import {tempFolder} from '../../helpers/temp-folder.js';

const configs = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server.stop());

interface Body {
  readonly metadata: {readonly resourceVersion: string};
}

const make = async (name: string) => (await server.client.post(configs, {metadata: {name}, data: {colour: 'red'}})).json<Body>();

test.serial('a store that is away refuses writes with 503 until the fault ends', async (t) => {
  {
    using _away = server.faults.storeAway();
    const refused = await server.client.post(configs, {metadata: {name: 'away'}});
    t.is(refused.status, 503);
    t.regex(refused.body.toString(), /a test has taken the store away/);
    t.is((await server.client.get('/readyz')).status, 500);
  }
  t.is((await server.client.post(configs, {metadata: {name: 'away'}})).status, 201);
});

test.serial('a slow store takes as long as a test says', async (t) => {
  const slow = server.faults.storeSlow(150);
  const started = performance.now();
  t.is((await server.client.post(configs, {metadata: {name: 'slow'}})).status, 201);
  t.true(performance.now() - started >= 145);
  slow.end();
});

test.serial('the nth change of a type meets a conflict: 409 for who names a version, and the server repeats other changes', async (t) => {
  const made = await make('contested');
  const other = await make('other');
  using _conflict = server.faults.conflict({resource: 'configmaps', nth: 2, times: 2});
  const put = (object: Body, name: string) => server.client.put(`${configs}/${name}`, {...object, data: {colour: 'blue'}});
  t.is((await put(other, 'other')).status, 200);
  const refused = await put(made, 'contested');
  t.is(refused.status, 409);
  t.regex(refused.body.toString(), /the object has been modified/);
  const patched = await server.client.patch(`${configs}/contested`, {data: {colour: 'green'}});
  t.is(patched.status, 200, patched.body.toString());
  // Two others have written since it was made, and the patch.
  t.true(BigInt(patched.json<Body>().metadata.resourceVersion) - BigInt(made.metadata.resourceVersion) >= 3n);
  t.is((await server.client.patch(`${configs}/contested`, {data: {colour: 'black'}})).status, 200);
});

test.serial('watches are cut as by a network, and the client goes on from where it was', async (t) => {
  const informer = server.api.resource(types.core.v1.ConfigMap, 'default').informer();
  const seen: string[] = [];
  informer.on({add: ({metadata}) => void seen.push(metadata.name!)});
  await informer.start().synced();
  const watch = server.client.watch(`${configs}?watch=1`);
  await watch.next();
  server.faults.cutWatches();
  await t.throwsAsync(async () => {
    for await (const _event of watch);
  });
  await make('after-the-cut');
  await eventually(() => {
    if (!seen.includes('after-the-cut')) throw new Error('the informer does not know it');
  });
  await informer.stop();
});

test.serial('watches over WebSockets are cut as well', async (t) => {
  const ca = await readServerFile(server, 'pki', 'ca.crt');
  const [cert, key] = await Promise.all(['admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
  const socket = new WebSocket(`${server.url.replace('https', 'wss')}${configs}?watch=1`, {ca, cert, key});
  await once(socket, 'open');
  server.faults.cutWatches();
  const [code] = (await once(socket, 'close')) as [number];
  t.is(code, 1006, 'nothing was said');
});

test.serial('when the history is lost watches end with 410, and reads go on', async (t) => {
  await make('before-the-loss');
  const watch = server.client.watch(`${configs}?watch=1`);
  await watch.next();
  server.faults.loseHistory();
  let last: WatchEvent | undefined;
  for await (const event of watch) last = event;
  t.is(last?.type, 'ERROR');
  t.is((last!.object as unknown as {code: number}).code, 410);
  t.is((await server.client.get(`${configs}/before-the-loss`)).status, 200);
});

test.serial('manifests of a folder are applied in an order that works, again as well', async (t) => {
  const folder = tempFolder(t, 'orch-manifests-');
  mkdirSync(join(folder, 'later'));
  const toy = 'apiVersion: example.com/v1\nkind: Toy\nmetadata: {name: ball, namespace: nursery}\n';
  writeFileSync(
    join(folder, 'a-toys.yaml'),
    `${toy}---\napiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: listed}}]\n`,
  );
  writeFileSync(join(folder, 'b-namespace.yml'), 'apiVersion: v1\nkind: Namespace\nmetadata: {name: nursery}\n');
  const versions = [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}];
  const spec = {group: 'example.com', scope: 'Namespaced', names: {plural: 'toys', kind: 'Toy'}, versions};
  const definition = {apiVersion: 'apiextensions.orch/v1', kind: 'CustomResourceDefinition', metadata: {name: 'toys.example.com'}, spec};
  writeFileSync(join(folder, 'later/toys.crd.json'), JSON.stringify(definition));
  const applied = await server.applyManifests(folder);
  t.deepEqual(
    applied.map(({kind, metadata}) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`),
    ['CustomResourceDefinition /toys.example.com', 'Namespace /nursery', 'Toy nursery/ball', 'ConfigMap default/listed'],
  );
  t.is((await server.applyManifests(folder)).length, 4);

  writeFileSync(join(folder, 'wrong.yaml'), '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: Not_A_Name}\n');
  await t.throwsAsync(server.applyManifests(folder), {message: /wrong\.yaml, object 1, ConfigMap Not_A_Name: .*metadata\.name/});
  await t.throwsAsync(server.applyManifests(tempFolder(t, 'orch-manifests-')), {message: /has no objects/});
});
