export {CertificateApproval} from './certificate-approval.js';
export {CertificateSigning} from './certificate-signing.js';
export {ClusterTrustBundleAttest} from './cluster-trust-bundle-attest.js';
export {CertificateSubjectRestriction} from './certificate-subject-restriction.js';
