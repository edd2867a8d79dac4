import {Transport} from '../../transport.js';

export interface OidcTokens {
  readonly idToken: string;
  readonly refreshToken: string;
}

/** A client registered with an OpenID provider. */
export interface OidcClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** PEM; the system's CAs by default. */
  readonly certificateAuthority: string | undefined;
}

interface Discovery {
  token_endpoint?: unknown;
  token_endpoint_auth_methods_supported?: unknown;
}

/**
 * Requests a new ID token from an OpenID provider (OpenID Connect Core, "Using Refresh Tokens").
 *
 * @throws Error with a one-sentence message: the provider cannot be reached, refuses, or returns no ID token
 */
export async function refreshTokens(client: OidcClient, refreshToken: string, signal: AbortSignal): Promise<OidcTokens> {
  const discovery = (await ask(
    client,
    `${client.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    {method: 'GET'},
    signal,
  )) as Discovery;
  if (typeof discovery.token_endpoint !== 'string') throw new Error("the provider's configuration has no token endpoint");
  const form = new URLSearchParams({grant_type: 'refresh_token', refresh_token: refreshToken});
  const headers: Record<string, string> = {'content-type': 'application/x-www-form-urlencoded'};
  if (client.clientSecret && !wantsSecretInBody(discovery)) {
    headers.authorization = `Basic ${Buffer.from(`${encodeURIComponent(client.clientId)}:${encodeURIComponent(client.clientSecret)}`).toString('base64')}`;
  } else {
    form.set('client_id', client.clientId);
    if (client.clientSecret) form.set('client_secret', client.clientSecret);
  }
  const answer = (await ask(client, discovery.token_endpoint, {method: 'POST', headers, body: form.toString()}, signal)) as {
    id_token?: unknown;
    refresh_token?: unknown;
  };
  if (typeof answer.id_token !== 'string' || answer.id_token === '') {
    throw new Error(
      'the provider returned no id_token: it does not issue ID tokens for refresh tokens, or the login did not request the scope openid',
    );
  }
  return {
    idToken: answer.id_token,
    refreshToken: typeof answer.refresh_token === 'string' && answer.refresh_token !== '' ? answer.refresh_token : refreshToken,
  };
}

function wantsSecretInBody({token_endpoint_auth_methods_supported: methods}: Discovery): boolean {
  return Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
}

async function ask(
  client: OidcClient,
  url: string,
  request: {method: string; headers?: Record<string, string>; body?: string},
  signal: AbortSignal,
): Promise<object> {
  if (!URL.canParse(url)) throw new Error(`${JSON.stringify(url)} is not a URL`);
  const {origin, pathname, search} = new URL(url);
  const transport = new Transport(
    {server: origin, ...(client.certificateAuthority === undefined ? {} : {certificateAuthority: client.certificateAuthority})},
    {userAgent: 'orch-client', maximumRetries: 2, onWarning: undefined},
  );
  try {
    const {status, body} = await transport.request({...request, path: pathname + search, signal});
    const text = body.toString('utf8');
    if (status !== 200) throw new Error(`${url} returned status ${status}: ${text.slice(0, 500)}`);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) throw new Error(`${url} did not return a JSON object`);
    return value;
  } finally {
    transport.close();
  }
}
