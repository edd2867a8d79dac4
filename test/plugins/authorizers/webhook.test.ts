import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {httpsService} from '../../helpers/https-service.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {userClient} from '../../helpers/user-client.js';

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {readonly user: string; readonly resourceAttributes?: {readonly namespace?: string; readonly verb: string}};
}

/** A server that asks a remote service what users may do. */
async function setUp(
  t: ExecutionContext,
  answer: (review: Review) => unknown,
  {flags, ...options}: ServerOptions = {authorizationMode: ['Webhook', 'RBAC']},
) {
  const reviews: Review[] = [];
  const service = await httpsService(t, (_request, body) => {
    const review = JSON.parse(body) as Review;
    reviews.push(review);
    return answer(review);
  });
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'ca.crt'), service.ca);
  const config = {clusters: [{name: 'remote', cluster: {server: `${service.url}/authorize`, 'certificate-authority': 'ca.crt'}}]};
  writeFileSync(join(folder, 'webhook.yaml'), JSON.stringify(config));
  const server = await startTestServer({
    // They ask as well.
    controllers: ['-*'],
    ...options,
    flags: {
      'anonymous-auth': false,
      'authorization-webhook-config-file': join(folder, 'webhook.yaml'),
      'authorization-webhook-version': 'v1',
      ...flags,
    },
  });
  t.teardown(() => server.stop());
  return {server, service, reviews, ursula: await userClient(t, server, 'ursula', ['authors'])};
}

const maps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
const respond = (review: Review, status: object) => ({apiVersion: review.apiVersion, kind: review.kind, status});

test('the remote service allows, denies for good, or has no opinion; the administrator is not asked about', async (t) => {
  const {server, reviews, ursula} = await setUp(t, (review) => {
    const namespace = review.spec.resourceAttributes?.namespace;
    if (namespace === 'open') return respond(review, {allowed: true});
    if (namespace === 'shut') return respond(review, {allowed: false, denied: true, reason: 'never'});
    if (namespace === 'both') return respond(review, {allowed: true, denied: true});
    if (namespace === 'old') return {apiVersion: 'authorization.orch/v1beta1', status: {allowed: true}};
    return respond(review, {allowed: false, reason: 'not by me'});
  });
  t.is((await server.client.get(maps('open'))).status, 200);
  t.is(reviews.length, 0);
  const opened = await ursula.get(maps('open'));
  t.is(opened.status, 200);
  t.deepEqual(reviews, [
    {
      apiVersion: 'authorization.orch/v1',
      kind: 'SubjectAccessReview',
      metadata: {creationTimestamp: null},
      spec: {
        resourceAttributes: {namespace: 'open', verb: 'list', version: 'v1', resource: 'configmaps'},
        user: 'ursula',
        groups: ['authors', 'system:authenticated'],
      },
      status: {allowed: false},
    },
  ] as unknown as Review[]);
  const binding = {
    metadata: {name: 'ursula'},
    subjects: [{kind: 'User', name: 'ursula', apiGroup: 'rbac.authorization.orch'}],
    roleRef: {kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.orch'},
  };
  t.is((await server.client.post('/apis/rbac.authorization.orch/v1/clusterrolebindings', binding)).status, 201);
  await until('RBAC answers behind the service', async () => (await ursula.get(maps('elsewhere'))).status === 200);
  const shut = await ursula.get(maps('shut'));
  t.is(shut.status, 403, 'a denial is not passed on');
  t.regex(shut.text, /: never"/);
  t.is((await ursula.get(maps('both'))).status, 403, 'an answer that does both denies');
  t.is((await ursula.post(maps('both'), {metadata: {name: 'a'}})).status, 403);
  t.is((await ursula.post(maps('old'), {metadata: {name: 'a'}})).status, 403, 'an answer in another version allows nothing');
  t.is((await ursula.get('/version')).status, 200);
  t.deepEqual(reviews.at(-1)!.spec as unknown, {
    nonResourceAttributes: {path: '/version', verb: 'get'},
    user: 'ursula',
    groups: ['authors', 'system:authenticated'],
  });
  const review = {spec: {user: 'x', resourceAttributes: {verb: 'get', resource: 'pods', namespace: 'open'}}};
  const status = (await server.client.post('/apis/authorization.orch/v1/subjectaccessreviews', review)).json<{status: object}>().status;
  t.deepEqual(status, {allowed: true}, 'reviews ask the same chain');
});

test('decisions are remembered as long as the flags say; the older version says group; questions that are equal share a call', async (t) => {
  const {reviews, ursula} = await setUp(t, (review) => respond(review, {allowed: review.spec.resourceAttributes?.verb === 'list'}), {
    authorizationMode: ['Webhook'],
    flags: {'authorization-webhook-version': 'v1beta1', 'authorization-webhook-cache-unauthorized-ttl': '0s'},
  });
  const answers = await Promise.all(Array.from({length: 20}, () => ursula.get(maps('a'))));
  t.true(answers.every(({status}) => status === 200));
  t.is((await ursula.get(maps('a'))).status, 200);
  t.is(reviews.length, 1);
  t.deepEqual(
    [reviews[0]!.apiVersion, (reviews[0]!.spec as {group?: string[]}).group],
    ['authorization.orch/v1beta1', ['authors', 'system:authenticated']],
  );
  for (const _ of [1, 2]) t.is((await ursula.get(`${maps('a')}/b`)).status, 403);
  t.is(reviews.length, 3, 'what is not allowed is asked again at once');
});

test('a service that fails allows nothing, and what it had allowed holds for its time', async (t) => {
  const {service, ursula} = await setUp(t, (review) => respond(review, {allowed: true}), {authorizationMode: ['Webhook']});
  t.is((await ursula.get(maps('a'))).status, 200);
  await service.stop();
  t.is((await ursula.get(maps('a'))).status, 200);
  const refused = await ursula.get(maps('b'));
  t.is(refused.status, 403);
  t.regex(refused.text, /Webhook: the remote service returned no usable response/);
});
