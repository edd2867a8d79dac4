import type {ExecutionContext} from 'ava';
import {readServerFile, type TestResponse, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {httpsClient, type HttpsClient} from '../../../helpers/https-client.js';

/** The claims of a token, unchecked. */
export interface Claims {
  iss: string;
  sub: string;
  aud?: string[];
  iat: number;
  exp: number;
  [member: string]: unknown;
}

/** Makes service accounts and tokens as the administrator. */
export class Accounts {
  constructor(
    private readonly t: ExecutionContext,
    readonly server: TestServer,
  ) {}

  async make(name: string, namespace = 'default'): Promise<string> {
    const {status, body, json} = await this.server.client.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: {name},
    });
    this.t.is(status, 201, body.toString());
    return json<{metadata: {uid: string}}>().metadata.uid;
  }

  request(name: string, spec: object, namespace = 'default'): Promise<TestResponse> {
    return this.server.client.post(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
      apiVersion: 'authentication.orch/v1',
      kind: 'TokenRequest',
      spec,
    });
  }

  async token(name: string, spec: object = {audiences: []}, namespace = 'default'): Promise<string> {
    const {status, body, json} = await this.request(name, spec, namespace);
    this.t.is(status, 201, body.toString());
    return json<{status: {token: string}}>().status.token;
  }

  /** The token that the server puts into a Secret. */
  async secretToken(secret: string, account: string): Promise<string> {
    const path = '/api/v1/namespaces/default/secrets';
    const body = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'orch/service-account-token',
      metadata: {name: secret, annotations: {'orch/service-account.name': account}},
    };
    this.t.is((await this.server.client.post(path, body)).status, 201);
    const read = async () => (await this.server.client.get(`${path}/${secret}`)).json<{data?: {token?: string}}>().data?.token;
    return Buffer.from((await eventually(read, (token) => token !== undefined))!, 'base64').toString('utf8');
  }

  /** What a request with a token is answered: 403 by a known caller without rights, 401 by nobody. */
  async status(token: string): Promise<number> {
    return (await (await this.client()).get('/api/v1/namespaces/default/secrets', {authorization: `Bearer ${token}`})).status;
  }

  /** Who the server takes the holder of a token for. */
  async whoAmI(token: string): Promise<{username: string; uid?: string; groups: string[]; extra?: Record<string, string[]>}> {
    const review = {apiVersion: 'authentication.orch/v1', kind: 'TokenReview', spec: {token}};
    const {json} = await this.server.client.post('/apis/authentication.orch/v1/tokenreviews', review);
    return json<{status: {user: never}}>().status.user;
  }

  async client(): Promise<HttpsClient> {
    return httpsClient(this.t, {url: this.server.url, ca: await readServerFile(this.server, 'pki', 'ca.crt')});
  }
}

export function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')) as Claims;
}
