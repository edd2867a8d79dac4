import {forbidden, inject, injectable, Tokens, type AccessReviewer, type AdmissionRequest, type NamingProfile} from '../../../sdk/index.js';

/** Whether a caller may act for a signer. `signers` is not a real resource: it exists only in rules. */
@injectable()
export class SignerAccess {
  readonly #access: AccessReviewer;
  readonly #group: string;

  constructor(@inject(Tokens.Access) access: AccessReviewer, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#access = access;
    this.#group = naming.group('certificates.orch');
  }

  /** @throws 403 unless the caller holds the verb on the signer or on `DOMAIN/*`, all signers of its domain */
  async require(verb: 'approve' | 'sign', signerName: string, request: AdmissionRequest): Promise<void> {
    if (await this.may(verb, signerName, request)) return;
    const detail = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`;
    throw forbidden({...request.resource, name: request.name}, detail);
  }

  /** Whether the caller holds the verb on the signer or on `DOMAIN/*`, all signers of its domain. */
  async may(verb: 'approve' | 'attest' | 'sign', signerName: string, request: AdmissionRequest): Promise<boolean> {
    const domain = signerName.split('/', 1)[0]!;
    return (await this.#holds(verb, signerName, request)) || this.#holds(verb, `${domain}/*`, request);
  }

  async #holds(verb: string, name: string, {user}: AdmissionRequest): Promise<boolean> {
    const {decision} = await this.#access.authorize({
      user,
      verb,
      isResourceRequest: true,
      path: '',
      group: this.#group,
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      name,
    });
    return decision === 'allow';
  }
}
