import test from 'ava';
import {ConversionWebhook} from '../../../../plugins/resources/apiextensions/conversion/conversion-webhook.js';
import type {CustomResourceDefinition} from '../../../../plugins/resources/apiextensions/custom-resource-definition.js';
import {CustomResourceStrategy} from '../../../../plugins/resources/apiextensions/serving/custom-resource-strategy.js';
import {parseJson, type ApiObject, type JsonObject, type NamingProfile, type WebhookTarget} from '../../../../sdk/index.js';
import {byWebhook, otherVersion, type Review} from './conversion-fixture.js';
import {definition, type Json} from './definition-fixture.js';

const group = 'g.example.com';
const widget = (name: string, more: Json = {}): ApiObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: {name, namespace: 'default', uid: `uid-${name}`},
  spec: {size: '3x4'},
  ...more,
});

/** A definition, and what it sends when it converts; `reply` changes the answer. */
function setUp(conversion: Json, reply: (answer: Json & {response: Json}) => unknown = (answer) => answer, more: Json = {}) {
  const calls: {target: WebhookTarget; review: Review; length: number}[] = [];
  const parts = {
    naming: {group: (neutral: string) => neutral.replace('orch', 'k8s.io')} as NamingProfile,
    timeoutMillis: 30_000,
    webhooks: {
      call: async (target: WebhookTarget, sent: object | string) => {
        const review = parseJson(sent as string) as unknown as Review;
        calls.push({target, review, length: (sent as string).length});
        const {uid, desiredAPIVersion, objects} = review.request;
        const response = {
          uid,
          result: {status: 'Success'},
          convertedObjects: objects.map((object) => otherVersion(object, desiredAPIVersion)),
        };
        return reply({apiVersion: review.apiVersion, kind: review.kind, response}) as JsonObject;
      },
    },
  };
  const made = {...definition(group, undefined, {conversion}), ...more} as unknown as CustomResourceDefinition;
  return {calls, webhook: new ConversionWebhook(made, parts), strategy: new CustomResourceStrategy(made, parts)};
}

const to = {group, version: 'v2'};
const url = {url: 'https://hooks.example.com/convert'};

test('[A-CRD-20] a review has the first version of the list that the server speaks', async (t) => {
  const cases: [string[], string][] = [
    [['v1'], 'v1'],
    [['v1beta1', 'v1'], 'v1beta1'],
    [['v1', 'v1beta1'], 'v1'],
    [['v3', 'v2', 'v1beta1', 'v1'], 'v1beta1'],
  ];
  for (const [versions, expected] of cases) {
    const {webhook, calls} = setUp(byWebhook(url, versions));
    await webhook.convertMany([widget('w')], to);
    t.is(calls[0]!.review.apiVersion, `apiextensions.k8s.io/${expected}`);
    t.is(calls[0]!.review.kind, 'ConversionReview');
  }
});

test('[A-CRD-21] a conversion fails, and nobody is called, when the server speaks no version of the list', async (t) => {
  for (const versions of [['v2', 'v3'], []]) {
    const {webhook, calls} = setUp(byWebhook(url, versions));
    await t.throwsAsync(webhook.convertMany([widget('w')], to), {
      name: 'StatusError',
      message: `conversion webhook for ${group}/v1, Kind=Widget failed: no supported conversion review versions`,
    });
    t.is(calls.length, 0);
  }
});

test('services that speak v1beta1 need not repeat what they were asked', async (t) => {
  const terse = ({response: {uid: _uid, ...response}}: Json & {response: Json}) => ({response});
  t.is((await setUp(byWebhook(url, ['v1beta1']), terse).webhook.convertMany([widget('w')], to)).length, 1);
  await t.throwsAsync(setUp(byWebhook(url, ['v1']), terse).webhook.convertMany([widget('w')], to), {
    message: /expected webhook response of apiextensions\.k8s\.io\/v1/,
  });
  const other = (answer: Json) => ({...answer, kind: 'AdmissionReview'});
  await t.throwsAsync(setUp(byWebhook(url, ['v1beta1']), other).webhook.convertMany([widget('w')], to), {
    message: /got apiextensions\.k8s\.io\/v1beta1, Kind=AdmissionReview$/,
  });
});

test('objects that are too large together go into several reviews, in their order', async (t) => {
  const {webhook, calls} = setUp(byWebhook(url));
  const objects = Array.from({length: 35}, (_, index) => widget(`w${index}`, {note: 'x'.repeat(128 * 1024)}));
  const converted = await webhook.convertMany(objects, to);
  t.deepEqual(
    converted.map(({metadata}) => metadata.name),
    objects.map(({metadata}) => metadata.name),
  );
  t.is(calls.length, 5);
  for (const {length} of calls) t.true(length < 1.1 * 1024 * 1024);
  t.is(new Set(calls.map(({review}) => review.request.uid)).size, 5);
  const single = setUp(byWebhook(url));
  await single.webhook.convertMany([widget('w', {note: 'x'.repeat(2 * 1024 * 1024)})], to);
  t.is(single.calls.length, 1);
});

test('what is sent and what comes back keep every digit, and the originals are left alone', async (t) => {
  const {webhook, calls} = setUp(byWebhook(url));
  const original = widget('w', {big: 9007199254740993n});
  const before = structuredClone(original);
  const [converted] = await webhook.convertMany([original], to);
  t.is((calls[0]!.review.request.objects[0] as unknown as {big: bigint}).big, 9007199254740993n);
  t.is(converted!['big'], 9007199254740993n);
  t.deepEqual(original, before);
  converted!.metadata.uid = 'changed';
  t.is(original.metadata.uid, 'uid-w');
});

test('labels that were stored before they were forbidden may come back as they were, but not others like them', async (t) => {
  const labels = {note: 'two words'};
  const original = widget('w', {metadata: {name: 'w', labels}});
  const [converted] = await setUp(byWebhook(url)).webhook.convertMany([original], to);
  t.deepEqual(converted!.metadata.labels, labels);
  const more = (answer: Json & {response: Json}) => {
    const [object] = answer.response['convertedObjects'] as [ApiObject];
    return {
      ...answer,
      response: {...answer.response, convertedObjects: [{...object, metadata: {...object.metadata, labels: {...labels, more: 'x'}}}]},
    };
  };
  await t.throwsAsync(setUp(byWebhook(url), more).webhook.convertMany([original], to), {
    message: /metadata\.labels: Invalid value: "two words"/,
  });
});

test('the target is what the client configuration says', async (t) => {
  const targetOf = async (config: Json) => {
    const {webhook, calls} = setUp(byWebhook(config));
    await webhook.convertMany([widget('w')], to);
    return calls[0]!.target;
  };
  t.deepEqual(await targetOf(url), {...url, timeoutMillis: 30_000});
  t.deepEqual(await targetOf({...url, caBundle: Buffer.from('PEM').toString('base64')}), {...url, caBundle: 'PEM', timeoutMillis: 30_000});
  const service = {namespace: 'tools', name: 'hooks', path: '/x', port: 8443};
  t.deepEqual(await targetOf({service, caBundle: ''}), {service, timeoutMillis: 30_000});
});

test('a type is converted by its webhook or by its name, and by its name while the definition is being deleted', (t) => {
  const byName = (strategy: CustomResourceStrategy) =>
    t.deepEqual(strategy.convert!(widget('w'), to), {...widget('w'), apiVersion: `${group}/v2`});
  const remote = setUp(byWebhook(url)).strategy;
  t.is(typeof remote.convertMany, 'function');
  t.is(remote.convert, undefined);
  for (const local of [
    setUp({strategy: 'None'}).strategy,
    setUp(byWebhook(url), undefined, {metadata: {name: 'x', deletionTimestamp: '2024-01-01T00:00:00Z'}}).strategy,
  ]) {
    t.is(local.convertMany, undefined);
    byName(local);
  }
});
