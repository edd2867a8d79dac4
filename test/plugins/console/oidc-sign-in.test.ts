import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {askRaw} from './ask-raw.js';
import {serverOf, signInProvider} from './sign-in-provider.js';

const verifier = 'v'.repeat(43);

test('a code is exchanged for pages of the console alone, and in its form', async (t) => {
  const provider = await signInProvider(t);
  const server = await serverOf(t, provider);
  const exchange = (headers: Record<string, string>) => askRaw(server, 'POST', '/console/oidc', {origin: server.url, ...headers});
  const right = {'orch-console-code': 'code', 'orch-console-verifier': verifier};
  t.is((await exchange({...right, origin: 'https://example.com'})).status, 403);
  t.is((await exchange({...right, host: 'rebound.example.com', origin: 'https://rebound.example.com'})).status, 403);
  t.is((await exchange({...right, 'sec-fetch-site': 'cross-site'})).status, 403);
  t.is((await exchange({'orch-console-code': 'code'})).status, 400);
  t.is((await exchange({...right, 'orch-console-verifier': 'short'})).status, 400);
  t.is((await exchange({...right, 'orch-console-code': 'c'.repeat(5000)})).status, 400);
  t.is(provider.requests.filter(({url}) => url === '/token').length, 0);
  const refused = await exchange(right);
  t.is(refused.status, 401);
  t.regex(refused.body, /refuses to sign you in: invalid_grant/);
  t.notRegex(refused.body, /<b>/);
  t.is(provider.exchanged.count, 0);
});

test('a provider that is asked for once is known for a while', async (t) => {
  const provider = await signInProvider(t);
  const server = await serverOf(t, provider);
  const before = provider.requests.length;
  for (let count = 0; count < 5; count += 1) t.is((await askRaw(server, 'GET', '/console/oidc')).status, 200);
  t.is(provider.requests.slice(before).filter(({url}) => url!.includes('openid-configuration')).length, 1);
});

test('a provider that does not answer is 503, a server without one has nothing there', async (t) => {
  const provider = await signInProvider(t);
  const server = await serverOf(t, provider);
  await provider.stop();
  t.is((await askRaw(server, 'GET', '/console/oidc')).status, 503);
  await using other = await startTestServer({enableConsole: true});
  t.is((await askRaw(other, 'GET', '/console/oidc')).status, 404);
  t.false((await other.client.get('/console/facts.json')).body.toString().includes('oidc'));
});
