import {encodeHeaderKey} from '../values/header-key.js';
import type {Impersonation} from './connection.js';

/** The `Impersonate-*` headers. Characters in keys of extra values that header names cannot contain are percent-encoded. */
export function identityHeaders(impersonate: Impersonation | undefined): Record<string, string | string[]> {
  if (!impersonate) return {};
  const headers: Record<string, string | string[]> = {'impersonate-user': impersonate.user};
  if (impersonate.uid !== undefined) headers['impersonate-uid'] = impersonate.uid;
  if (impersonate.groups && impersonate.groups.length > 0) headers['impersonate-group'] = [...impersonate.groups];
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) headers[`impersonate-extra-${encodeHeaderKey(key)}`] = [...values];
  return headers;
}
