import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {usedOf} from '../helpers/quotas.js';
import {findKubectls, kubectlFor} from '../helpers/kubectl.js';

const binaries = findKubectls();

let server: TestServer;
test.before(async () => {
  if (binaries.length > 0) server = await startTestServer({platform: 'kubernetes'});
});
test.after.always(() => server?.stop());

if (binaries.length === 0) test.skip('kubectl shows quotas and limits (kubectl is not installed)', (t) => t.pass());

/** Lines without the columns' padding. */
const lines = (text: string) =>
  text.split('\n').map((line) =>
    line
      .trim()
      .split(/\s{2,}/)
      .join(' | '),
  );

for (const binary of binaries) {
  test(`[B-ADM-2] [B-ADM-22] kubectl ${binary.minor ?? ''} creates and describes quotas and limits and shows refusals`, async (t) => {
    const kubectl = kubectlFor(t, binary, server.kubeconfig);
    const namespace = `quotas-${binary.minor ?? 'plain'}`;
    await kubectl.ok(['create', 'namespace', namespace]);
    const run = (argv: readonly string[], input?: object) =>
      kubectl.run(['-n', namespace, ...argv], input ? {input: JSON.stringify(input)} : {});
    const ok = async (argv: readonly string[], input?: object) => {
      const {code, stdout, stderr} = await run(argv, input);
      t.is(code, 0, stderr);
      t.is(stderr, '');
      return stdout;
    };
    await ok(['create', 'quota', 'all', '--hard=pods=3,count/configmaps=1']);
    await ok(['create', 'quota', 'scoped', '--hard=pods=5', '--scopes=NotBestEffort']);
    const range = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: {name: 'range'},
      spec: {
        limits: [
          {type: 'Container', max: {cpu: '2'}, min: {cpu: '100m'}, default: {cpu: '1'}, defaultRequest: {cpu: '500m'}},
          {type: 'PersistentVolumeClaim', max: {storage: '1Gi'}},
        ],
      },
    };
    await ok(['create', '-f', '-'], range);
    const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
    for (const name of ['all', 'scoped']) await usedOf(server.client, `${path}/${name}`, (used) => used['pods'] === '0');
    await ok(['run', 'one', '--image=nginx']);
    await usedOf(server.client, `${path}/scoped`, (used) => used['pods'] === '1');
    const described = lines(await ok(['describe', 'quota', 'scoped']));
    t.deepEqual(
      described.filter((line) => line !== ''),
      [
        'Name: | scoped',
        `Namespace: | ${namespace}`,
        'Scopes: | NotBestEffort',
        '* Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
        'Resource | Used | Hard',
        '-------- | ---- | ----',
        'pods | 1 | 5',
      ],
    );
    const limits = lines(await ok(['describe', 'limits', 'range']));
    t.deepEqual(
      limits.filter((line) => line !== ''),
      [
        'Name: | range',
        `Namespace: | ${namespace}`,
        'Type | Resource | Min | Max | Default Request | Default Limit | Max Limit/Request Ratio',
        '---- | -------- | --- | --- | --------------- | ------------- | -----------------------',
        'Container | cpu | 100m | 2 | 500m | 1 | -',
        'PersistentVolumeClaim | storage | - | 1Gi | - | - | -',
      ],
    );
    const {code, stderr} = await run([
      'run',
      'two',
      '--image=nginx',
      '--overrides={"spec":{"containers":[{"name":"two","image":"nginx","resources":{"limits":{"cpu":"3"}}}]}}',
    ]);
    t.is(code, 1);
    t.is(stderr.trim(), 'Error from server (Forbidden): pods "two" is forbidden: maximum cpu usage per Container is 2, but limit is 3');
    await ok(['create', 'quota', 'maps', '--hard=count/secrets=0']);
    await usedOf(server.client, `${path}/maps`, (used) => used['count/secrets'] === '0');
    const secret = await run(['create', 'secret', 'generic', 's']);
    t.is(secret.code, 1);
    t.is(
      secret.stderr.trim(),
      'error: failed to create secret secrets "s" is forbidden: exceeded quota: maps, requested: count/secrets=1, used: count/secrets=0, limited: count/secrets=0',
    );
    t.regex(await ok(['get', 'quota', 'maps']), /count\/secrets: 0\/0/);
  });
}
