import type {NamingProfile, Unchecked} from '../../../sdk/index.js';
import type * as certificates from '../../../sdk/types/certificates/v1.js';

export type SigningRequest = Unchecked<certificates.CertificateSigningRequest>;
export type RequestCondition = Unchecked<certificates.CertificateSigningRequestCondition>;

export const signingRequests = {group: 'certificates.orch', version: 'v1', resource: 'certificatesigningrequests'};

/** The signers of the platform, by the part after the slash of their neutral form. */
export const builtInSigners = ['apiserver-client', 'apiserver-client-nodeagent', 'nodeagent-serving'] as const;
export type BuiltInSigner = (typeof builtInSigners)[number];

/** Which of the platform's signers a request is for. */
export function signerOf({spec}: SigningRequest, naming: NamingProfile): BuiltInSigner | undefined {
  return builtInSigners.find((signer) => naming.signers[signer] === spec?.signerName);
}

export function conditionOf({status}: SigningRequest, type: 'Approved' | 'Denied' | 'Failed'): RequestCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** A copy with a further condition. */
export function withCondition(request: SigningRequest, condition: RequestCondition): SigningRequest {
  return {...request, status: {...request.status, conditions: [...(request.status?.conditions ?? []), condition]}};
}

export function hasCertificate({status}: SigningRequest): boolean {
  return (status?.certificate ?? '') !== '';
}
