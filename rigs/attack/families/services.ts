import {hostileService, manners} from '../../../test/helpers/hostile-service.js';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';

const ends = new WeakMap<Attacker, () => unknown>();

interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {readonly uid: string};
}

/** A webhook that is asked about the attacker's objects, and whose failures are nobody's matter. */
async function prepareHook(attacker: Attacker, manner: string): Promise<void> {
  const stops: (() => unknown)[] = [];
  const service = await hostileService(
    {teardown: (end) => void stops.unshift(end)},
    ({body}) => {
      const {apiVersion, kind, request} = JSON.parse(body) as AdmissionReview;
      return {apiVersion, kind, response: {uid: request.uid, allowed: true}};
    },
    {mannerOf: ({body}) => (body.includes('well-again') ? 'right' : manner)},
  );
  ends.set(attacker, () => stops.forEach((stop) => stop()));
  await attacker.make('/apis/admissionregistration.orch/v1/validatingwebhookconfigurations', {
    metadata: {name: attacker.namespace},
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig: {url: service.url, caBundle: Buffer.from(service.ca).toString('base64')},
        rules: [{apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE']}],
        objectSelector: {matchLabels: {reviewed: attacker.namespace}},
        failurePolicy: manner === 'right' ? 'Fail' : 'Ignore',
        timeoutSeconds: 1,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
}

/** Small writes that a webhook is asked about which does this. When it is well again, it is asked again: no slot is lost. */
const hooked = (manner: string): Attack => ({
  name: `webhook-${manner}`,
  outcomes: [201],
  seconds: 3,
  leavesMegabytes: 20,
  prepare: (attacker) => prepareHook(attacker, manner),
  async run(attacker) {
    const object = (name: string) => JSON.stringify({metadata: {generateName: name, labels: {reviewed: attacker.namespace}}});
    await attacker.flood({
      user: 'builder',
      connections: 64,
      requests: 640,
      request: () => requestText('POST', attacker.path('configmaps'), {body: object('small-')}),
    });
    const path = '/apis/admissionregistration.orch/v1/validatingwebhookconfigurations/' + attacker.namespace;
    await attacker.make(`${attacker.path('configmaps')}`, {metadata: {name: 'well-again', labels: {reviewed: attacker.namespace}}});
    if ((await attacker.look(path)) !== 200) attacker.tally.fault('the configuration is gone');
    ends.get(attacker)?.();
  },
});

/** What services do that the server calls. */
export const services = family(
  'services',
  [
    ...[
      'right',
      'switches-protocols',
      'interim-without-end',
      'status-000',
      'no-content-with-length',
      'resets',
      'closes',
      'garbage',
      'redirect',
    ],
    ...['headers-without-end', 'body-without-end', 'length-too-long', 'slow-body', 'silence', 'two-answers', 'gzip-bomb'],
    ...['deep', 'million-keys', 'million-lists', 'invalid-utf-8', 'prototype'],
  ]
    .filter((name) => name in manners)
    .map(hooked),
  {storeless: true},
);
