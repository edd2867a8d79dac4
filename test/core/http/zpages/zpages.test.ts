import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions} from '@orch-api/orch/testing';

async function start(t: ExecutionContext, options: ServerOptions = {}) {
  const server = await startTestServer({platform: 'kubernetes', ...options});
  t.teardown(() => server.stop());
  return server;
}

const objectType = (kind: string, version = 'v1beta1', form = 'json') => `application/${form};v=${version};g=config.k8s.io;as=${kind}`;

test('/statusz tells in text since when the server runs, what it is and where to look next', async (t) => {
  const {client} = await start(t);
  for (const accept of ['', '*/*', 'text/plain', `${objectType('Statusz', 'v9')},*/*`]) {
    const {status, headers, body} = await client.request('GET', '/statusz', {headers: {accept}});
    t.is(status, 200);
    t.is(headers['content-type'], 'text/plain; charset=utf-8');
    t.regex(
      body.toString(),
      /^\napiserver statusz\nWarning: This endpoint is not meant to be machine parseable.*\n\nStarted: \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}\nUp: 0 hr 0\d min \d\d sec\nGo version: nodev\d+.*\nBinary version: 1\.36\.\d+\nEmulation version: 1\.36\nPaths: \/flagz \/healthz \/livez \/metrics \/readyz \/statusz \/version\n$/,
    );
  }
});

test('/statusz and /flagz are objects for who names them, in JSON and YAML; old versions warn, other forms are a 406', async (t) => {
  const {client} = await start(t, {securePort: 0, limits: {maxConnections: 77}});
  const get = (path: string, accept: string) => client.request('GET', path, {headers: {accept}});
  const status = await get('/statusz', objectType('Statusz'));
  t.is(status.headers['content-type'], 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz');
  const {startTime, uptimeSeconds, ...rest} = status.json<Record<string, unknown>>();
  t.regex(String(startTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  t.true((uptimeSeconds as number) >= 0);
  t.like(rest, {kind: 'Statusz', apiVersion: 'config.k8s.io/v1beta1', metadata: {name: 'apiserver'}, emulationVersion: '1.36'});
  t.is(status.headers['warning'], undefined);

  const flags = (await get('/flagz', objectType('Flagz'))).json<{kind: string; flags: Record<string, string>}>();
  t.is(flags.kind, 'Flagz');
  t.like(flags.flags, {release: '1.36', platform: 'kubernetes', 'max-connections': '77', 'secure-port': '0', workers: '1', config: ''});

  const old = await get('/statusz', objectType('Statusz', 'v1alpha1', 'yaml'));
  t.regex(old.body.toString(), /^apiVersion: config\.k8s\.io\/v1alpha1$/m);
  t.is(old.headers['warning'], '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."');

  for (const accept of ['application/json', objectType('Statusz', 'v1'), objectType('Flagz'), 'text/html']) {
    const refused = await get('/statusz', accept);
    t.is(refused.status, 406);
    t.is(
      refused.json<{message: string}>().message,
      'only the following media types are accepted: application/json, application/yaml, text/plain',
    );
  }
});

test('/flagz shows what was given and defaults, and no password', async (t) => {
  const {client} = await start(t, {
    configuration: {log: {slowRequestThreshold: '3s'}, enablePriorityAndFairness: true},
    featureGates: {ComponentFlagz: true},
    leaderElection: {leaseDuration: '21s'},
    runtimeConfig: {'storage.k8s.io/v1beta1': true},
    corsAllowedOrigins: ['https://somebody:secret@one.example'],
  });
  const lines = (await client.get('/flagz')).body.toString().split('\n');
  for (const line of [
    'bind-address: 127.0.0.1',
    'cors-allowed-origins: CLASSIFIED',
    'feature-gates: ComponentFlagz=true',
    'leader-elect-lease-duration: 21s',
    'leader-elect-renew-deadline: 10s',
    'runtime-config: storage.k8s.io/v1beta1=true',
    'slow-request-threshold: 3s',
  ])
    t.true(lines.includes(line), `${line}: ${lines.join('\n')}`);
});

test('without its feature gate neither page is there, nor named among the paths', async (t) => {
  const older = await start(t, {release: '1.35'});
  for (const path of ['/statusz', '/flagz']) {
    t.is((await older.client.get(path)).status, 404);
    t.false((await older.client.get('/')).json<{paths: string[]}>().paths.includes(path));
  }
  const asked = await start(t, {release: '1.35', featureGates: {ComponentStatusz: true}});
  t.is((await asked.client.get('/statusz')).status, 200);
  t.is((await asked.client.get('/flagz')).status, 404);
  t.true((await asked.client.get('/')).json<{paths: string[]}>().paths.includes('/statusz'));
});
