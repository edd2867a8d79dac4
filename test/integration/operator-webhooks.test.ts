import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../helpers/eventually.js';
import {tempFolder} from '../helpers/temp-folder.js';
import {makeAuthority, makeLeaf} from '../helpers/test-certificates.js';

/**
 * The webhooks of an operator in a process of its own, as envtest's `WebhookInstallOptions` sets them up: the definition and both configurations
 * come with a service, which is replaced by `url` and `caBundle` of what runs on this machine.
 */
const program = `
import {createServer} from 'node:https';
import {readFileSync} from 'node:fs';
const [, , cert, key] = process.argv;
const patch = (operations) => ({patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64')});
const judge = {
  '/mutate-batch-example-com-v1-schedule'({object}) {
    const operations = [];
    if (object.spec.concurrency === undefined) operations.push({op: 'add', path: '/spec/concurrency', value: 1});
    if (object.spec.suspend === undefined) operations.push({op: 'add', path: '/spec/suspend', value: false});
    return {allowed: true, ...(operations.length ? patch(operations) : {})};
  },
  '/validate-batch-example-com-v1-schedule'({operation, object, oldObject}) {
    if (operation === 'DELETE') return oldObject.metadata.labels?.protected ? {allowed: false, status: {code: 403, reason: 'Forbidden', message: 'it is protected'}} : {allowed: true};
    if (!/^\\S+( \\S+){4}$/.test(object.spec.cron)) return {allowed: false, status: {code: 422, reason: 'Invalid', message: 'spec.cron: Invalid value', details: {name: object.metadata.name, kind: 'Schedule', causes: [{reason: 'FieldValueInvalid', message: 'five parts are needed', field: 'spec.cron'}]}}};
    if (operation === 'UPDATE' && oldObject.spec.concurrency !== object.spec.concurrency) return {allowed: false, status: {code: 409, reason: 'Conflict', message: 'spec.concurrency is immutable'}};
    return {allowed: true, warnings: object.spec.concurrency > 10 ? ['that is a lot'] : undefined};
  },
};
const server = createServer({cert: readFileSync(cert), key: readFileSync(key)}, (request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const {apiVersion, kind, request: asked} = JSON.parse(body);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({apiVersion, kind, response: {uid: asked.uid, ...judge[new URL(request.url, 'https://x').pathname](asked)}}));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume();
`;

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'schedules.batch.example.com'},
  spec: {
    group: 'batch.example.com',
    scope: 'Namespaced',
    names: {plural: 'schedules', kind: 'Schedule'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {status: {}},
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['cron'],
                properties: {cron: {type: 'string'}, concurrency: {type: 'integer', maximum: 100}, suspend: {type: 'boolean'}},
              },
              status: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
            },
          },
        },
      },
    ],
  },
};

function webhook(kind: 'mutate' | 'validate', url: string, caBundle: string) {
  return {
    name: `${kind}.schedules.example.com`,
    clientConfig: {url: `${url}/${kind}-batch-example-com-v1-schedule`, caBundle},
    rules: [
      {
        apiGroups: ['batch.example.com'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE', ...(kind === 'validate' ? ['DELETE'] : [])],
        resources: ['schedules'],
      },
    ],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}

let server: TestServer;
const path = '/apis/batch.example.com/v1/namespaces/default/schedules';
const schedule = (name: string, spec: object, labels: object = {}) => ({
  apiVersion: 'batch.example.com/v1',
  kind: 'Schedule',
  metadata: {name, labels},
  spec,
});
let stop = () => {};

test.before(async (t) => {
  const folder = tempFolder({teardown: (work: () => void) => void (stop = work)} as never);
  const authority = await makeAuthority('operator');
  const leaf = await makeLeaf(authority, 'server', 'operator');
  writeFileSync(join(folder, 'hooks.mjs'), program);
  writeFileSync(join(folder, 'tls.crt'), leaf.certificate);
  writeFileSync(join(folder, 'tls.key'), leaf.key);
  const child = spawn(process.execPath, [join(folder, 'hooks.mjs'), join(folder, 'tls.crt'), join(folder, 'tls.key')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const removeFolder = stop;
  stop = () => {
    child.stdin.end();
    removeFolder();
  };
  const [port] = (await once(createInterface({input: child.stdout}), 'line')) as [string];
  server = await startTestServer({platform: 'kubernetes'});
  const {client} = server;
  const url = `https://127.0.0.1:${port}`;
  const caBundle = Buffer.from(authority.certificate).toString('base64');
  const group = '/apis/admissionregistration.k8s.io/v1';
  await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await client.post(`${group}/mutatingwebhookconfigurations`, {
    metadata: {name: 'mutating-webhook-configuration'},
    webhooks: [webhook('mutate', url, caBundle)],
  });
  await client.post(`${group}/validatingwebhookconfigurations`, {
    metadata: {name: 'validating-webhook-configuration'},
    webhooks: [webhook('validate', url, caBundle)],
  });
  await eventually(
    () => client.get(path),
    ({status}) => status === 200,
  );
  await eventually(
    () => client.post(`${path}?dryRun=All`, schedule('probe', {cron: 'bad'})),
    ({status, body}) => status === 422 && body.toString().includes('five parts'),
  );
  t.pass();
});
test.after.always(async () => {
  await server?.stop();
  stop();
});

test("an operator's webhooks default, validate and reject with their own codes and causes", async (t) => {
  const {client} = server;
  const made = await client.post(path, schedule('one', {cron: '* * * * *'}));
  t.is(made.status, 201, made.body.toString());
  t.deepEqual(made.json<{spec: unknown}>().spec, {cron: '* * * * *', concurrency: 1, suspend: false});
  const invalid = await client.post(path, schedule('two', {cron: 'never'}));
  t.is(invalid.status, 422);
  t.like(invalid.json(), {
    reason: 'Invalid',
    message: 'admission webhook "validate.schedules.example.com" denied the request: spec.cron: Invalid value',
    details: {name: 'two', kind: 'Schedule', causes: [{reason: 'FieldValueInvalid', message: 'five parts are needed', field: 'spec.cron'}]},
  });
  const changed = await client.patch(`${path}/one`, {spec: {concurrency: 2}});
  t.like(changed.json(), {code: 409, reason: 'Conflict'});
  const many = await client.post(path, schedule('many', {cron: '* * * * *', concurrency: 50}));
  t.is(many.headers['warning'], '299 - "that is a lot"');
  // The rules of the schema hold beside the webhooks.
  t.is((await client.post(path, schedule('most', {cron: '* * * * *', concurrency: 101}))).status, 422);
});

test("an operator's webhooks see deletions, and not the status, which their rules do not name", async (t) => {
  const {client} = server;
  await client.post(path, schedule('kept', {cron: '* * * * *'}, {protected: 'yes'}));
  const refused = await client.delete(`${path}/kept`);
  t.like(refused.json(), {
    code: 403,
    reason: 'Forbidden',
    message: 'admission webhook "validate.schedules.example.com" denied the request: it is protected',
  });
  t.is((await client.patch(`${path}/kept/status`, {status: {active: 3}})).status, 200);
  await client.patch(`${path}/kept`, {metadata: {labels: {protected: null}}});
  t.is((await client.delete(`${path}/kept`)).status, 200);
});
