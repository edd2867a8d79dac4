import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestResponse, type TestServer} from '@orch-api/orch/testing';
import {until} from '../helpers/eventually.js';
import {clientConfiguration, hostileService, manners, type HostileService, type RawRequest} from '../helpers/hostile-service.js';
import {recordingLogger} from '../helpers/recording-logger.js';
import {tempFolder} from '../helpers/temp-folder.js';

const ends: (() => unknown)[] = [];
const whole = {teardown: (end: () => unknown) => void ends.unshift(end)};
const log = recordingLogger();
/** How long calls may take: long enough for right answers while all manners are under way. */
const callSeconds = 8;
let service: HostileService;
let server: TestServer;

/** Requests that are answered together only, once as many are there: as many calls are under way at once then. */
const gatherings = new Map<string, {awaited: number; come: () => void; all: Promise<void>}>();

function gather(name: string, awaited: number): void {
  const {promise, resolve} = Promise.withResolvers<void>();
  gatherings.set(name, {awaited, come: resolve, all: promise});
}

async function gathered({body}: RawRequest): Promise<void> {
  for (const [name, gathering] of gatherings) {
    if (!body.includes(`together-${name}`)) continue;
    gathering.awaited -= 1;
    if (gathering.awaited === 0) gathering.come();
    await gathering.all;
  }
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request?: {readonly uid: string; readonly desiredAPIVersion?: string; readonly objects?: object[]};
}

/** What a service that means well answers to any review. */
async function allowed(request: RawRequest): Promise<unknown> {
  await gathered(request);
  const review = JSON.parse(request.body) as Review;
  const {apiVersion, kind} = review;
  const uid = review.request?.uid;
  if (kind === 'TokenReview') return {apiVersion, kind, status: {authenticated: true, user: {username: 'jo', groups: ['system:masters']}}};
  if (kind === 'SubjectAccessReview' || kind === 'ImageReview') return {apiVersion, kind, status: {allowed: true}};
  if (kind === 'AdmissionReview') return {apiVersion, kind, response: {uid, allowed: true}};
  const convertedObjects = review.request?.objects?.map((object) => ({...object, apiVersion: review.request!.desiredAPIVersion}));
  return {apiVersion, kind, response: {uid, result: {status: 'Success'}, convertedObjects}};
}

test.before(async () => {
  service = await hostileService(whole, allowed);
  const folder = tempFolder(whole);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const client = file('client.json', clientConfiguration(service));
  const admission = {
    apiVersion: 'apiserver.config.orch/v1',
    kind: 'AdmissionConfiguration',
    plugins: [
      {name: 'ImagePolicyWebhook', configuration: {imagePolicy: {kubeConfigFile: client, retryBackoff: 1, allowTTL: -1, denyTTL: -1}}},
    ],
  };
  server = await startTestServer({
    authorizationMode: ['RBAC', 'Webhook'],
    flags: {
      'authentication-token-webhook-config-file': client,
      'authentication-token-webhook-cache-ttl': '0s',
      'authorization-webhook-config-file': client,
      'authorization-webhook-cache-authorized-ttl': '0s',
    },
    admissionControlConfigFile: file('admission.json', JSON.stringify(admission)),
    enableAdmissionPlugins: ['ImagePolicyWebhook'],
    disableAdmissionPlugins: ['ServiceAccount'],
    runtimeConfig: {'imagepolicy.orch/v1alpha1': true},
    configuration: {plugins: {apiextensions: {config: {conversionTimeoutMilliseconds: callSeconds * 1000}}}},
    logger: log.logger,
  });
  ends.unshift(() => server.stop());
});

test.after.always(async () => {
  for (const end of ends) await end();
});

interface Expectation {
  readonly right: RegExp;
  /** What the caller makes of a call that fails, its time limit included: that of the request comes much later, and would be a 504. */
  readonly failed: RegExp;
}

/** Makes one call for each manner, all at once, and looks at what comes of them. */
async function eachManner(t: ExecutionContext, call: (name: string) => Promise<TestResponse>, {right, failed}: Expectation): Promise<void> {
  await Promise.all(
    Object.entries(manners).map(async ([name, {isRight = false}]) => {
      const {status, body} = await call(name);
      t.regex(`${status} ${body.toString().slice(0, 1000)}`, isRight ? right : failed, name);
    }),
  );
}

const configMaps = '/api/v1/namespaces/default/configmaps';

async function register(kind: 'Mutating' | 'Validating', name: string, failurePolicy: string, {url, ca}: HostileService): Promise<void> {
  const configuration = {
    apiVersion: 'admissionregistration.orch/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: {name},
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: {url, caBundle: Buffer.from(ca).toString('base64')},
        rules: [{apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE']}],
        objectSelector: {matchLabels: {reviewed: name}},
        failurePolicy,
        timeoutSeconds: callSeconds,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
  const path = `/apis/admissionregistration.orch/v1/${kind.toLowerCase()}webhookconfigurations`;
  const made = await server.client.post(path, configuration);
  if (made.status !== 201) throw new Error(made.body.toString());
}

for (const [kind, failurePolicy] of [
  ['Validating', 'Fail'],
  ['Validating', 'Ignore'],
  ['Mutating', 'Fail'],
] as const)
  // One after the other: the more is under way at once, the longer a right answer takes as well.
  test.serial(`${kind} webhooks with the policy ${failurePolicy}: whatever they do ends in time, and takes no slot away`, async (t) => {
    const name = `${kind}-${failurePolicy}`.toLowerCase();
    // Of its own, as calls to one address share connections.
    const own = await hostileService(whole, allowed);
    await register(kind, name, failurePolicy, own);
    const create = (object: string) => server.client.post(configMaps, {metadata: {name: object, labels: {reviewed: name}}});
    await until('the webhook is asked', async () => {
      await create(`${name}-first-${performance.now()}`);
      return own.connections.made > 0;
    });
    await eachManner(t, (manner) => create(`manner-${manner}-please-${name}`), {
      right: /^201 /,
      failed: failurePolicy === 'Ignore' ? /^201 / : /^500 .*failed calling webhook/,
    });
    // As many as may be under way at once.
    gather(name, 64);
    const answers = await Promise.all(Array.from({length: 64}, (_, number) => create(`together-${name}-${number}`)));
    t.is(gatherings.get(name)!.awaited, 0, 'all were asked about');
    t.deepEqual(new Set(answers.map(({status}) => status)), new Set([201]));
  });

test('conversion webhooks: whatever they do ends in time', async (t) => {
  const names = {plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList'};
  const schema = {openAPIV3Schema: {type: 'object', 'x-orch-preserve-unknown-fields': true}};
  const own = await hostileService(whole, allowed);
  const clientConfig = {url: own.url, caBundle: Buffer.from(own.ca).toString('base64')};
  const made = await server.client.post('/apis/apiextensions.orch/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.orch/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'gadgets.example.com'},
    spec: {
      group: 'example.com',
      names,
      scope: 'Namespaced',
      versions: ['v1', 'v2'].map((version) => ({name: version, served: true, storage: version === 'v1', schema})),
      conversion: {strategy: 'Webhook', webhook: {clientConfig, conversionReviewVersions: ['v1']}},
    },
  });
  t.is(made.status, 201, made.body.toString());
  const path = (version: string) => `/apis/example.com/${version}/namespaces/default/gadgets`;
  await until('it is served', async () => (await server.client.get(path('v1'))).status === 200);
  await eachManner(
    t,
    async (manner) => {
      const name = `manner-${manner}-please`;
      const created = await server.client.post(path('v1'), {apiVersion: 'example.com/v1', kind: 'Gadget', metadata: {name}});
      t.is(created.status, 201, created.body.toString());
      return server.client.get(`${path('v2')}/${name}`);
    },
    {right: /^200 /, failed: /^500 .*conversion webhook for example.com\/v1, Kind=Gadget failed/},
  );
});

test('token services: whatever they do ends in time, lets nobody in, and takes no review away', async (t) => {
  const ask = (token: string) => server.client.get('/api/v1/namespaces', {anonymous: true, headers: {authorization: `Bearer ${token}`}});
  await eachManner(t, (manner) => ask(`manner-${manner}-please`), {right: /^200 /, failed: /^401 /});
  gather('tokens', 64);
  const answers = await Promise.all(Array.from({length: 64}, (_, number) => ask(`together-tokens-${number}`)));
  t.deepEqual(new Set(answers.map(({status}) => status)), new Set([200]));
});

test('authorization services: whatever they do ends in time, allows nothing, and takes no review away', async (t) => {
  const ask = (user: string) => server.client.get('/api/v1/namespaces', {headers: {'impersonate-user': user}});
  await eachManner(t, (manner) => ask(`manner-${manner}-please`), {right: /^200 /, failed: /^403 /});
  gather('questions', 64);
  const answers = await Promise.all(Array.from({length: 64}, (_, number) => ask(`together-questions-${number}`)));
  t.deepEqual(new Set(answers.map(({status}) => status)), new Set([200]));
});

test('image policy services: whatever they do ends in time, and admits no pod', async (t) => {
  const create = (name: string) =>
    server.client.post('/api/v1/namespaces/default/pods', {metadata: {name}, spec: {containers: [{name: 'c', image: name}]}});
  await eachManner(t, (manner) => create(`manner-${manner}-please`), {right: /^201 /, failed: /^403 .*image policy webhook/});
  gather('images', 64);
  const answers = await Promise.all(Array.from({length: 64}, (_, number) => create(`together-images-${number}`)));
  t.deepEqual(new Set(answers.map(({status}) => status)), new Set([201]));
});

test.after('nothing that a service did was a fault of the server', (t) => {
  const faults = log.lines.filter(({fields: {err}}) => err instanceof TypeError || err instanceof RangeError || err instanceof SyntaxError);
  t.deepEqual(faults, []);
});
