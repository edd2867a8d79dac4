import type {NamingProfile} from '../../../sdk/index.js';
import {isIn, type Edition} from '../rbac/released-rules.js';

/** Certificates and tokens of other issuers have ids from this release on; tokens of service accounts have them by the gate ServiceAccountTokenJTI. */
const ofAllCredentials = {since: '1.32'};

/** The key of a user's extra value that says by which credential it was authenticated, so that its use can be followed through audit logs. */
export function credentialIdKey(naming: NamingProfile): string {
  return `authentication.${naming.keyPrefix}/credential-id`;
}

/** Whether users of other credentials than service account tokens have ids of these. */
export function hasCredentialIds(edition: Edition): boolean {
  return isIn(edition, ofAllCredentials);
}

/** The id of a token by its claim `jti`. Undefined for one without. */
export function tokenCredentialId(jti: unknown): string | undefined {
  return typeof jti === 'string' && jti !== '' ? `JTI=${jti}` : undefined;
}
