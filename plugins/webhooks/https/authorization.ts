import type {WebhookCredentials} from '../../../sdk/index.js';

/** The header that identifies this server, for credentials sent in the request. */
export function authorizationOf({token, basic}: WebhookCredentials = {}): Record<string, string> {
  if (token !== undefined) return {authorization: `Bearer ${token}`};
  if (basic === undefined) return {};
  return {authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`};
}
