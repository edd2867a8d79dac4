import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {WebSocket} from 'ws';
import type {TestClient, TestServer} from '@orch-api/orch/testing';

const collection = '/api/v1/namespaces/default/configmaps';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const protobuf = 'application/vnd.kubernetes.protobuf';

/** Paths that are read, with what is accepted. */
const reads: readonly (readonly [path: string, accept?: string])[] = [
  ['/'],
  ['/api'],
  ['/apis'],
  ['/apis', 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'],
  ['/api', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'],
  ['/apis/apps'],
  ['/apis/apps/v1', protobuf],
  ['/version'],
  ['/healthz'],
  ['/livez?verbose'],
  ['/readyz/store'],
  ['/metrics'],
  ['/openapi/v2'],
  ['/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'],
  ['/openapi/v3'],
  ['/openapi/v3/apis/batch/v1'],
  ['/.well-known/openid-configuration'],
  ['/openid/v1/jwks'],
  [collection],
  [`${collection}?limit=1`],
  [`${collection}?watch=1&timeoutSeconds=1`],
  [`${collection}?watch=1&timeoutSeconds=1`, 'application/vnd.kubernetes.protobuf;stream=watch'],
  [`${collection}?watch=1&timeoutSeconds=1`, table],
  [`${collection}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`],
  ['/api/v1/watch/namespaces/default/configmaps?timeoutSeconds=1'],
  [`${collection}/read`],
  [`${collection}/read`, table],
  [`${collection}/read`, metadata],
  [collection, metadataList],
  [collection, protobuf],
  [collection, 'application/yaml'],
  [`${collection}?pretty=true`],
  [`${collection}?resourceVersion=1&resourceVersionMatch=Exact`],
  [`${collection}?labelSelector=a%3Db%2Cc%21%3Dd&fieldSelector=metadata.name%3Dread`],
  ['/api/v1/componentstatuses'],
  ['/api/v1/nodes/none/proxy/metrics'],
  ['/api/v1/namespaces/default/services/https:kubernetes:443/proxy/'],
  ['/api/v1/namespaces/default/pods/none/log?container=c&tailLines=1'],
  ['/api/v1/namespaces/default/pods/none/portforward?ports=80'],
];

/** Operations that have no objects. */
const posts: readonly (readonly [path: string, body: object])[] = [
  [
    '/apis/authentication.k8s.io/v1/tokenreviews',
    {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: {token: 'none', audiences: ['a']}},
  ],
  [
    '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
    {spec: {user: 'jo', resourceAttributes: {namespace: 'default', verb: 'get', resource: 'pods'}}},
  ],
  ['/api/v1/namespaces/default/bindings', {metadata: {name: 'none'}, target: {kind: 'Node', name: 'n'}}],
  ['/api/v1/namespaces/default/pods/none/eviction', {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name: 'none'}}],
  ['/api/v1/namespaces/default/serviceaccounts/default/token', {spec: {audiences: ['a'], expirationSeconds: 3600}}],
];

/** What is read by hand or by tools that are neither kubectl nor a library. */
export async function plainSession(client: TestClient, server: TestServer): Promise<void> {
  await client.post(collection, {metadata: {name: 'read', labels: {a: 'b'}}, data: {a: 'b'}});
  for (const [path, accept] of reads) await client.get(path, accept === undefined ? {} : {headers: {accept}});
  await client.get(collection, {headers: {'accept-encoding': 'gzip'}});
  await client.get('/openapi/v2', {headers: {'if-none-match': '"none"'}});
  await client.get(collection, {
    headers: {'impersonate-user': 'jo', 'impersonate-group': 'system:authenticated', 'impersonate-extra-k': 'v'},
  });
  for (const [path, body] of posts) await client.post(path, body);
  await client.post(
    collection,
    '---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\n  annotations: &a {x: y}\n  labels: *a\ndata: {a: |\n  b\n}\n',
    {
      headers: {'content-type': 'application/yaml'},
    },
  );
  await client.post(`${collection}?fieldValidation=Strict`, {metadata: {name: 'strict'}, datum: {}});
  await client.post(`${collection}?dryRun=All&fieldManager=me&pretty=true`, {metadata: {generateName: 'dry-'}});
  await client.put(`${collection}/held`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'held', finalizers: ['shop.example/hold']},
  });
  await client.post(collection, {
    metadata: {
      name: 'held',
      finalizers: ['shop.example/hold'],
      ownerReferences: [{apiVersion: 'v1', kind: 'ConfigMap', name: 'read', uid: 'u', controller: true}],
    },
  });
  await client.delete(`${collection}/held?propagationPolicy=Foreground&gracePeriodSeconds=0`);
  await client.patch(`${collection}/held`, [{op: 'remove', path: '/metadata/finalizers/0'}], 'application/json-patch+json');
  await client.patch(
    `${collection}/read`,
    {metadata: {labels: {a: null}}, data: {$patch: 'replace', z: '1'}},
    'application/strategic-merge-patch+json',
  );
  await client.patch(
    `${collection}/read?fieldManager=hand&force=true`,
    'apiVersion: v1\nkind: ConfigMap\ndata: {a: c}\n',
    'application/apply-patch+yaml',
  );
  await client.delete(`${collection}?labelSelector=none`);
  await watchOverWebSocket(client.url, server.dataDir);
}

async function watchOverWebSocket(url: string, dataDir: string): Promise<void> {
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFile(join(dataDir, 'pki', name))));
  const socket = new WebSocket(`${url.replace('https', 'wss')}${collection}?watch=1`, {ca, cert, key});
  await once(socket, 'message');
  socket.close();
  await once(socket, 'close');
}
