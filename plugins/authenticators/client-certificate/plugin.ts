import type {X509Certificate} from 'node:crypto';
import {
  authenticator,
  inject,
  Tokens,
  unauthorized,
  type AuthenticationRequest,
  type Authenticator,
  type FeatureGates,
  type NamingProfile,
  type UserInfo,
} from '../../../sdk/index.js';
import {credentialIdKey} from '../../families/authentication/credential-ids.js';
import {CertificateIdentities} from './certificate-identities.js';

/**
 * Authenticates by the connection's client certificate (docs/semantics/access.md#client-certificates): the common name is the user name,
 * and each organization is a group. The certificate must be signed by the client CA and valid at the time of the request, not just when the
 * connection was opened.
 *
 * If a certificate has no common name, the next authenticator is asked. The group `system:authenticated` is not added here, because it
 * applies to the callers of all authenticators.
 */
@authenticator({order: 100})
export class ClientCertificate implements Authenticator {
  readonly #identities: CertificateIdentities;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#identities = new CertificateIdentities({
      idKey: gates.enabled('CredentialIds') ? credentialIdKey(naming) : undefined,
      withUid: gates.enabled('AllowParsingUserUIDFromCertAuth'),
    });
  }

  /** @param now time of the request, milliseconds since 1970 */
  authenticate(request: AuthenticationRequest, now = Date.now()): UserInfo | undefined {
    const presented = request.clientCertificate();
    if (presented === undefined) return undefined;
    if (!presented.authorized) throw refused(presented.certificate, presented.problem ?? 'it is not signed by the client CA');

    const identity = this.#identities.of(presented.certificate);
    if (now > identity.notAfter) throw refused(presented.certificate, `it expired at ${new Date(identity.notAfter).toISOString()}`);
    if (now < identity.notBefore)
      throw refused(presented.certificate, `it is not valid before ${new Date(identity.notBefore).toISOString()}`);
    if (identity.problem !== undefined) throw refused(presented.certificate, identity.problem);
    return identity.user;
  }
}

/** The client only learns that it is not authenticated; the reason is logged. */
function refused(certificate: X509Certificate, problem: string): Error {
  return unauthorized(undefined, {cause: new Error(`client certificate ${certificate.serialNumber} is refused: ${problem}`)});
}
