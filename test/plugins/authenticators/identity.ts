import type {TestServer} from '@orch-api/orch/testing';
import type {HttpsClient} from '../../helpers/https-client.js';

/** A user as reviews show it. */
export interface Identity {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: string[];
  readonly extra?: Record<string, string[]>;
}

/** Who the server takes the holder of a bearer token for. */
export async function holderOf(server: TestServer, token: string): Promise<Identity> {
  const review = {apiVersion: 'authentication.orch/v1', kind: 'TokenReview', spec: {token}};
  const answer = await server.client.post('/apis/authentication.orch/v1/tokenreviews', review);
  return answer.json<{status: {user: Identity}}>().status.user;
}

/** Options that turn the type on by which callers ask who they are; it is off by default. */
export const whoAmIServed = {runtimeConfig: {'authentication.orch/v1alpha1': true}, featureGates: {APISelfSubjectReview: true}};

/** Who the server takes a caller for; the status where it is not let in. */
export async function whoAmI(client: HttpsClient, headers: Record<string, string | string[]> = {}): Promise<Identity | number> {
  const body = {apiVersion: 'authentication.orch/v1alpha1', kind: 'SelfSubjectReview'};
  const {status, json} = await client.request('POST', '/apis/authentication.orch/v1alpha1/selfsubjectreviews', {body, headers});
  return status === 201 ? json<{status: {userInfo: Identity}}>().status.userInfo : status;
}

/** The status with which a request with a token is answered: 200 for everybody who is known. */
export async function statusWith(client: HttpsClient, token: string): Promise<number> {
  return (await client.get('/apis', {authorization: `Bearer ${token}`})).status;
}
