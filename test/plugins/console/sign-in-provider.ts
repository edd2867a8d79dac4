import {createHash, randomUUID} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {exportJWK, generateKeyPair, SignJWT} from 'jose';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {tempFolder, type Teardown} from '../../helpers/temp-folder.js';
import {answer, webhookService, type WebhookService} from '../../helpers/webhook-service.js';

/** What a sign-in provider does, and may be told to do wrong. */
export interface SignInProvider extends WebhookService {
  /** Queries of the page that people sign in on. */
  readonly authorizations: URLSearchParams[];
  /** How many codes were exchanged. */
  readonly exchanged: {count: number};
  /** Instead of what the page asked for. */
  readonly wrong: {nonce?: string; state?: string; error?: string};
}

export interface ProviderOptions {
  readonly modes?: readonly string[];
}

const client = 'orch-console';

/** An OpenID Connect provider that signs everybody in as Jane at once: authorization code flow with PKCE, a code counts once. */
export async function signInProvider(t: Teardown, {modes = ['query', 'fragment']}: ProviderOptions = {}): Promise<SignInProvider> {
  const {privateKey, publicKey} = await generateKeyPair('RS256');
  const jwk = {...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig'};
  const authorizations: URLSearchParams[] = [];
  const exchanged = {count: 0};
  const wrong: SignInProvider['wrong'] = {};
  const codes = new Map<string, URLSearchParams>();
  const service: WebhookService = await webhookService(t, async (body, response, request) => {
    const {pathname, searchParams} = new URL(request.url!, service.url);
    if (pathname === '/.well-known/openid-configuration')
      return answer(response, {
        issuer: service.url,
        jwks_uri: `${service.url}/keys`,
        authorization_endpoint: `${service.url}/authorize?tenant=1`,
        token_endpoint: `${service.url}/token`,
        response_modes_supported: modes,
        scopes_supported: ['openid', 'email', 'groups'],
      });
    if (pathname === '/keys') return answer(response, {keys: [jwk]});
    if (pathname === '/authorize') {
      authorizations.push(searchParams);
      const code = randomUUID();
      codes.set(code, searchParams);
      const state = wrong.state ?? searchParams.get('state')!;
      const back = new URLSearchParams(wrong.error === undefined ? {code, state} : {error: wrong.error, state});
      const mark = searchParams.get('response_mode') === 'fragment' ? '#' : '?';
      response.writeHead(302, {Location: `${searchParams.get('redirect_uri')!}${mark}${back}`});
      return void response.end();
    }
    if (pathname !== '/token') return answer(response, {}, 404);
    const form = new URLSearchParams(body);
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      request.headers['content-type'] === 'application/x-www-form-urlencoded' &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_id') === client &&
      asked?.get('client_id') === client &&
      form.get('redirect_uri') === asked.get('redirect_uri') &&
      asked.get('code_challenge_method') === 'S256' &&
      challenge === asked.get('code_challenge');
    if (!isRight) return answer(response, {error: 'invalid_grant', error_description: '<b>no</b>'}, 400);
    exchanged.count += 1;
    const claims = {nonce: wrong.nonce ?? asked.get('nonce'), groups: ['viewers']};
    const token = await new SignJWT(claims)
      .setProtectedHeader({alg: 'RS256', kid: 'one'})
      .setIssuer(service.url)
      .setAudience(client)
      .setSubject('jane')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    answer(response, {id_token: token, token_type: 'Bearer', access_token: 'unused'});
  });
  return {...service, authorizations, exchanged, wrong};
}

/** A server with the console whose users are those of the provider, stopped at the end of the test. */
export async function serverOf(t: Teardown, provider: WebhookService): Promise<TestServer> {
  const caFile = join(tempFolder(t), 'provider-ca.crt');
  writeFileSync(caFile, provider.ca);
  const flags = {'oidc-issuer-url': provider.url, 'oidc-client-id': client, 'oidc-groups-claim': 'groups', 'oidc-ca-file': caFile};
  const server = await startTestServer({enableConsole: true, flags});
  t.teardown(() => server.stop());
  return server;
}
