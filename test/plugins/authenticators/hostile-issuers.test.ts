import test, {type ExecutionContext} from 'ava';
import {DistributedClaims} from '../../../plugins/authenticators/oidc/distributed-claims.js';
import type {JwtSettings} from '../../../plugins/authenticators/oidc/jwt-settings.js';
import {ProviderKeys} from '../../../plugins/authenticators/oidc/provider-keys.js';
import {HttpsClient} from '../../../sdk/https/index.js';
import {hostileService, manners} from '../../helpers/hostile-service.js';
import {answer, webhookService} from '../../helpers/webhook-service.js';

function clientOf(t: ExecutionContext): HttpsClient {
  const client = new HttpsClient();
  t.teardown(() => client.close());
  return client;
}

const header = {alg: 'ES256', kid: 'none'};

test('issuers of tokens: whatever they do ends in time, and no key is taken from it', async (t) => {
  const service = await hostileService(t, ({head}) => {
    const path = /^GET (\S+?)\/\.well-known/.exec(head)?.[1];
    return path === undefined ? {keys: []} : {issuer: `${service.url}${path}`, jwks_uri: `${service.url}/keys`};
  });
  const client = clientOf(t);
  await Promise.all(
    Object.entries(manners).map(async ([name, {isRight}]) => {
      const keys = new ProviderKeys({issuer: `${service.url}/manner-${name}-please`, ca: [service.ca]}, client);
      const error = await t.throwsAsync(keys.find(header, {payload: '', signature: ''}), undefined, name);
      t.regex(
        error.message,
        isRight ? /no applicable key/ : /please\/\.well-known\/openid-configuration: |calls itself|aborted|has been tried/,
        name,
      );
      // Each fetches its document again once the pause is over: nothing is under way that was forgotten.
      await t.throwsAsync(keys.find(header, {payload: '', signature: ''}), {message: error.message});
    }),
  );
});

test('sources of distributed claims: whatever they do ends in time, and the token is refused', async (t) => {
  const service = await hostileService(t, () => 'no.token');
  const client = clientOf(t);
  const settings = {
    issuer: 'https://issuer.example',
    ca: [service.ca],
    groups: {claim: 'groups'},
    audiences: ['orch'],
    algorithms: ['ES256'],
  };
  const claims = new DistributedClaims(
    settings as unknown as JwtSettings,
    new ProviderKeys({issuer: 'https://issuer.example'} as JwtSettings, client),
    client,
    () => undefined,
  );
  t.teardown(() => claims.close());
  await Promise.all(
    Object.keys(manners).map(async (name) => {
      const source = {endpoint: `${service.url}/manner-${name}-please`};
      const error = await t.throwsAsync(
        claims.resolve({_claim_names: {groups: 'there'}, _claim_sources: {there: source}}),
        undefined,
        name,
      );
      t.regex(error.message, /^the distributed claim groups cannot be had from https:/, name);
    }),
  );
});

test('a provider with more keys than anybody has, and what it says at length, are refused in few words', async (t) => {
  const long = 'x'.repeat(500_000);
  const service = await webhookService(t, (_body, response, {url = ''}) => {
    const [, name, rest] = url.split('/');
    const issuer = `${service.url}/${name}`;
    if (rest === 'keys') return answer(response, {keys: Array.from({length: 1001}, () => ({kty: 'EC'}))});
    answer(response, name === 'named' ? {issuer: long} : {issuer, jwks_uri: name === 'elsewhere' ? `http://${long}` : `${issuer}/keys`});
  });
  const client = clientOf(t);
  const failure = async (name: string) => {
    const keys = new ProviderKeys({issuer: `${service.url}/${name}`, ca: [service.ca]}, client);
    return (await t.throwsAsync(keys.find(header, {payload: '', signature: ''}))).message;
  };
  t.is(await failure('many'), 'the provider has more than 1000 keys');
  for (const name of ['named', 'elsewhere']) {
    const message = await failure(name);
    t.regex(message, /calls itself "x+", not|is not an https URL/);
    t.true(message.length < 500, `${message.length} characters`);
  }
});
