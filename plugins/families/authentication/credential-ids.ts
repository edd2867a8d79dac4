import type {NamingProfile} from '../../../sdk/index.js';

/** The key of a user's extra value that says by which credential it was authenticated, so that its use can be followed through audit logs. */
export function credentialIdKey(naming: NamingProfile): string {
  return `authentication.${naming.keyPrefix}/credential-id`;
}

/** The id of a token by its claim `jti`. Undefined for one without. */
export function tokenCredentialId(jti: unknown): string | undefined {
  return typeof jti === 'string' && jti !== '' ? `JTI=${jti}` : undefined;
}
