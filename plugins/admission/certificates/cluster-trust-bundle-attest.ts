import {
  admission,
  admissionForbidden,
  inject,
  type AdmissionController,
  type AdmissionRequest,
  type ApiObject,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ClusterTrustBundle} from '../../../sdk/types/unchecked/certificates/v1beta1.js';
import {SignerAccess} from './signer-access.js';

/** Requires `attest` on the signer to write a bundle that belongs to one. */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['clustertrustbundles.certificates.orch'], order: 325, sideEffects: 'none'})
export class ClusterTrustBundleAttest implements AdmissionController {
  readonly #signers: SignerAccess;

  constructor(@inject(SignerAccess) signers: SignerAccess) {
    this.#signers = signers;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const {object, oldObject} = request;
    const {signerName = ''} = (object as ClusterTrustBundle | undefined)?.spec ?? {};
    // What collects garbage and migrates objects writes bundles without changing them.
    if (!object || signerName === '' || (oldObject && sameValue(withoutOwners(object), withoutOwners(oldObject)))) return;
    if (await this.#signers.may('attest', signerName, request)) return;
    throw admissionForbidden(request, `user not permitted to attest for signerName ${JSON.stringify(signerName)}`);
  }
}

function withoutOwners({metadata, ...content}: ApiObject): object {
  const {ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...rest} = metadata;
  return {...content, metadata: rest};
}
