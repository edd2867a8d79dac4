import type {NamingProfile, Unchecked} from '../../../sdk/index.js';
import type * as certificates from '../../../sdk/types/certificates/v1.js';

export type SigningRequest = Unchecked<certificates.CertificateSigningRequest>;
export type RequestCondition = Unchecked<certificates.CertificateSigningRequestCondition>;

export const signingRequests = {group: 'certificates.orch', version: 'v1', resource: 'certificatesigningrequests'};

/** The platform's signers, by the part of their neutral name after the slash. */
export const builtInSigners = ['apiserver-client', 'apiserver-client-nodeagent', 'nodeagent-serving'] as const;
export type BuiltInSigner = (typeof builtInSigners)[number];

/** The platform's signer that a request is for. */
export function signerOf({spec}: SigningRequest, naming: NamingProfile): BuiltInSigner | undefined {
  return builtInSigners.find((signer) => naming.signers[signer] === spec?.signerName);
}

export function conditionOf({status}: SigningRequest, type: 'Approved' | 'Denied' | 'Failed'): RequestCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** A copy with an additional condition. */
export function withCondition(request: SigningRequest, condition: RequestCondition): SigningRequest {
  return {...request, status: {...request.status, conditions: [...(request.status?.conditions ?? []), condition]}};
}

export function hasCertificate({status}: SigningRequest): boolean {
  return (status?.certificate ?? '') !== '';
}
