import type {WebhookCredentials} from '../../../sdk/index.js';

/** The header that says who this server is, where credentials go into the request. */
export function authorizationOf({token, basic}: WebhookCredentials = {}): Record<string, string> {
  if (token !== undefined) return {authorization: `Bearer ${token}`};
  if (basic === undefined) return {};
  return {authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`};
}
