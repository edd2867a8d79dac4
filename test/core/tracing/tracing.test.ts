import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventsIn} from '../../helpers/audit-log.js';
import {eventually} from '../../helpers/eventually.js';
import {parseMetrics, valueOf} from '../../helpers/metrics-text.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {traceCollector, tracingFile, type CollectedSpan, type TraceCollector} from '../../helpers/trace-collector.js';
import {userClient} from '../../helpers/user-client.js';
import {answer, webhookService} from '../../helpers/webhook-service.js';

const maps = '/api/v1/namespaces/default/configmaps';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
const traceparent = (flags: string) => ({headers: {traceparent: `00-${traceId}-${callerSpan}-${flags}`}});

let server: TestServer;
let collector: TraceCollector;
const log = recordingLogger();
let auditLog: string;

const cleanups: (() => void | Promise<void>)[] = [];
test.after.always(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

test.before(async () => {
  const t = {teardown: (cleanup: () => void | Promise<void>) => void cleanups.push(cleanup)};
  collector = await traceCollector(t);
  auditLog = join(tempFolder(t), 'audit.log');
  const policy = join(tempFolder(t), 'policy.yaml');
  writeFileSync(policy, JSON.stringify({apiVersion: 'audit.orch/v1', kind: 'Policy', rules: [{level: 'Metadata'}]}));
  server = await startTestServer({
    tracingConfigFile: tracingFile(t, {endpoint: collector.endpoint}),
    auditPolicyFile: policy,
    flags: {'audit-log-path': auditLog},
    logger: log.logger,
  });
  t.teardown(() => server.stop());
});

/** The spans of a request, by its Audit-ID. */
async function traceOf(id: unknown): Promise<{root: CollectedSpan; spans: CollectedSpan[]}> {
  const root = () => collector.spans.find(({attributes}) => attributes['audit-id'] === id);
  await eventually(root, (found) => found !== undefined);
  return {root: root()!, spans: collector.spans.filter((span) => span.traceId === root()!.traceId)};
}

test.serial(
  'a request whose privileged caller has it sampled is a part of the caller’s trace: its steps, the webhook it calls, the log and the audit event',
  async (t) => {
    const hook = await webhookService(t, (body, response) => {
      const {uid} = (JSON.parse(body) as {request: {uid: string}}).request;
      answer(response, {apiVersion: 'admission.orch/v1', kind: 'AdmissionReview', response: {uid, allowed: true}});
    });
    const configuration = {
      metadata: {name: 'traced'},
      webhooks: [
        {
          name: 'judge.example.com',
          clientConfig: {url: `${hook.url}/judge`, caBundle: Buffer.from(hook.ca).toString('base64')},
          rules: [{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}],
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
        },
      ],
    };
    const hooks = '/apis/admissionregistration.orch/v1/validatingwebhookconfigurations';
    t.is((await server.client.post(hooks, configuration)).status, 201);
    await eventually(
      async () => {
        await server.client.post(`${maps}?dryRun=All`, {metadata: {name: 'probe'}});
        return hook.requests.length;
      },
      (calls) => calls > 0,
    );
    t.true(
      hook.requests.every(({headers}) => headers['traceparent'] === undefined),
      'requests that are not traced tell nothing',
    );
    hook.requests.length = 0;

    const made = await server.client.post(maps, {metadata: {name: 'one'}}, traceparent('01'));
    t.is(made.status, 201, made.body.toString());
    const {root, spans} = await traceOf(made.headers['audit-id']);
    t.like(root, {traceId, parentSpanId: callerSpan, name: `POST /api/v1/namespaces/{namespace}/configmaps`, kind: 2});
    t.like(root.attributes, {
      'http.request.method': 'POST',
      'http.response.status_code': '201',
      'url.path': maps,
      'enduser.id': 'orch-admin',
    });
    t.is(collector.resource['service.name'], 'apiserver');
    t.true(
      collector.paths.every((path) => path === 'POST /v1/traces application/json'),
      collector.paths[0],
    );

    const children = spans.filter(({parentSpanId}) => parentSpanId === root.spanId).sort((a, b) => (a.ended < b.ended ? -1 : 1));
    t.deepEqual(
      children.map(({name}) => name),
      [
        ...['authentication', 'authorization', 'body', 'decode', 'defaults', 'field owners', 'mutating admission', 'prepare', 'validation'],
        ...['validating admission', 'store', 'answer'],
      ],
    );
    for (const span of spans) {
      t.true(span.started <= span.ended && root.started <= span.started && span.ended <= root.ended, span.name);
      t.regex(span.spanId, /^[\da-f]{16}$/);
    }
    const controller = spans.find(({name}) => name === 'ValidatingAdmissionWebhook')!;
    t.is(controller.parentSpanId, children.find(({name}) => name === 'validating admission')!.spanId);
    const call = spans.find(({name}) => name === 'webhook')!;
    t.is(call.parentSpanId, controller.spanId);
    t.is(call.attributes['webhook.name'], 'judge.example.com');
    t.deepEqual(
      hook.requests.map(({headers}) => headers['traceparent']),
      [`00-${traceId}-${call.spanId}-01`],
    );
    const line = log.lines.find(({fields}) => fields['id'] === made.headers['audit-id'] && fields['method'] === 'POST');
    t.is(line?.fields['trace'], traceId);
    const event = eventsIn(auditLog).find(({auditID, stage}) => auditID === made.headers['audit-id'] && stage === 'ResponseComplete');
    t.is(event?.annotations?.['tracing.orch/trace-id'], traceId);
    t.is((await server.client.delete(`${hooks}/traced`)).status, 200);
  },
);

test.serial(
  'a caller without privileges cannot have its requests traced, and nobody can if the flag says otherwise or the header is none',
  async (t) => {
    const jane = await userClient(t, server, 'jane', ['team']);
    const probes = [
      (await jane.get('/version', traceparent('01').headers)).headers['audit-id'],
      (await server.client.get('/version', traceparent('00'))).headers['audit-id'],
      (await server.client.get('/version')).headers['audit-id'],
      (await server.client.get('/version', {headers: {traceparent: `00-${'0'.repeat(32)}-${callerSpan}-01`}})).headers['audit-id'],
      (await server.client.get('/version', {headers: {traceparent: `00-${traceId}-${callerSpan}-01-more`}})).headers['audit-id'],
    ];
    // Exports keep their order.
    await traceOf((await server.client.get('/version', traceparent('01'))).headers['audit-id']);
    t.deepEqual(
      probes.filter((id) => collector.spans.some(({attributes}) => attributes['audit-id'] === id)),
      [],
    );
  },
);

test.serial('reads have their steps too', async (t) => {
  const found = await server.client.get(maps, traceparent('01'));
  const {root, spans} = await traceOf(found.headers['audit-id']);
  const names = spans.filter(({parentSpanId}) => parentSpanId === root.spanId).map(({name}) => name);
  t.deepEqual(names, ['authentication', 'authorization', 'read', 'answer']);
  t.is(root.name, 'GET /api/v1/namespaces/{namespace}/configmaps');
});

test.serial(
  'a share of the requests is traced, each in a trace of its own that is linked to the one of an unprivileged caller',
  async (t) => {
    const all = await traceCollector(t);
    await using sampled = await startTestServer({
      tracingConfigFile: tracingFile(t, {endpoint: `http://${all.endpoint}/collect`, samplingRatePerMillion: 1_000_000}),
    });
    const jane = await userClient(t, sampled, 'jane');
    const id = (await jane.get('/version', traceparent('00').headers)).headers['audit-id'];
    const own = (await sampled.client.get('/healthz')).headers['audit-id'];
    const of = (wanted: unknown) => all.spans.find(({attributes}) => attributes['audit-id'] === wanted);
    await eventually(() => of(id) && of(own), Boolean);
    t.deepEqual(of(id)!.links, [{traceId, spanId: callerSpan}]);
    t.not(of(id)!.traceId, traceId);
    t.is(of(id)!.parentSpanId, undefined);
    t.not(of(id)!.traceId, of(own)!.traceId);
    t.true(all.paths[0]!.startsWith('POST /collect '));
  },
);

test.serial('what has become of spans is counted', async (t) => {
  const scrape = parseMetrics((await server.client.get('/metrics')).body.toString());
  t.true(valueOf(scrape, 'orch_tracing_spans_total', {result: 'exported'})! > 0);
  t.is(valueOf(scrape, 'orch_tracing_spans_total', {result: 'dropped'}), 0);
});
