import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../helpers/eventually.js';
import {findKubectls, kubectlFor} from '../helpers/kubectl.js';
import {answer, webhookService, type WebhookService} from '../helpers/webhook-service.js';

let server: TestServer;
let service: WebhookService;
const cleanup: (() => void | Promise<void>)[] = [];

/** What the webhook says, by the label `case` of the object. */
const replies: Record<string, object> = {
  reason: {allowed: false, status: {code: 403, reason: 'Forbidden', message: 'names must be nice'}},
  plain: {allowed: false, status: {message: 'not today'}},
  silent: {allowed: false},
  warned: {allowed: true, warnings: ['spec.x is old; use spec.y', 'and "quoted"']},
};

test.before(async () => {
  server = await startTestServer({platform: 'kubernetes'});
  service = await webhookService({teardown: (work: () => void | Promise<void>) => void cleanup.push(work)}, (body, response) => {
    const {apiVersion, request} = JSON.parse(body) as {
      apiVersion: string;
      request: {uid: string; object: {metadata: {labels?: Record<string, string>}}};
    };
    const wanted = request.object.metadata.labels?.['case'] ?? '';
    if (wanted === 'broken') return answer(response, {}, 500);
    return answer(response, {apiVersion, kind: 'AdmissionReview', response: {uid: request.uid, allowed: true, ...replies[wanted]}});
  });
  const name = 'judge.example.com';
  await server.client.post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: {name: 'judge'},
    webhooks: [
      {
        name,
        clientConfig: {url: `${service.url}/judge`, caBundle: Buffer.from(service.ca).toString('base64')},
        rules: [{operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}],
        objectSelector: {matchExpressions: [{key: 'case', operator: 'Exists'}]},
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  const probe = {metadata: {name: 'probe', labels: {case: 'plain'}}};
  await eventually(
    () => server.client.post('/api/v1/namespaces/default/configmaps?dryRun=All', probe),
    ({status}) => status === 400,
  );
});
test.after.always(async () => {
  await server?.stop();
  for (const work of cleanup) await work();
});

const map = (name: string) => JSON.stringify({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, labels: {case: name}}});

for (const binary of findKubectls().filter(({minor}) => minor === undefined || minor === 27 || minor === 33)) {
  test(`kubectl 1.${binary.minor ?? '?'} shows rejections and warnings of webhooks as with Kubernetes`, async (t) => {
    const kubectl = kubectlFor(t, binary, server.kubeconfig);
    const create = (name: string) => kubectl.run(['create', '--dry-run=server', '-f', '-'], {input: map(name)});
    const place = 'error when creating "STDIN": ';
    const denied = 'admission webhook "judge.example.com" denied the request';
    t.like(await create('reason'), {code: 1, stderr: `Error from server (Forbidden): ${place}${denied}: names must be nice\n`});
    t.like(await create('plain'), {code: 1, stderr: `Error from server: ${place}${denied}: not today\n`});
    t.like(await create('silent'), {code: 1, stderr: `Error from server: ${place}${denied} without explanation\n`});
    t.like(await create('warned'), {
      code: 0,
      stdout: 'configmap/warned created (server dry run)\n',
      stderr: 'Warning: spec.x is old; use spec.y\nWarning: and "quoted"\n',
    });
    const broken = await create('broken');
    t.is(
      broken.stderr,
      `Error from server (InternalError): ${place}Internal error occurred: failed calling webhook "judge.example.com": failed to call webhook: Post "${service.url}/judge?timeout=10s": the service answers with status 500\n`,
    );
    const applied = await kubectl.run(['apply', '--server-side', '-f', '-'], {input: map('reason')});
    t.is(applied.code, 1);
    t.true(applied.stderr.includes(`${denied}: names must be nice`), applied.stderr);
    const listed = await kubectl.ok(['get', 'validatingwebhookconfigurations', '--no-headers']);
    t.regex(listed, /^judge\s+1\s+\d+s\n$/);
  });
}
