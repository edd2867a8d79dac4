import {
  dnsSubdomainFaults,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
  type NamingProfile,
} from '../../../sdk/index.js';
import {validateAnnotations, validateLabelSelector} from '../../../sdk/labels/index.js';
import {invalidFor, relativeFilePath} from '../../../sdk/validation/index.js';
import type {ClusterTrustBundleProjection, PodCertificateProjection, VolumeProjection} from '../../../sdk/types/unchecked/core/v1.js';
import {isOwnSigner, signerNameFaults, trustBundleNameFaults} from '../certificates/signer-names.js';

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];

/** In seconds: how long the certificate of a pod may be valid, and at most that of the platform's own signers. */
const lifetimes = {minimum: 60 * 60, maximum: 91 * 24 * 60 * 60, ofOwnSigners: 24 * 60 * 60};

/** Errors in the certificates that a projected volume contains. `path` is that of the source. */
export function validateCertificates(
  {clusterTrustBundle, podCertificate}: VolumeProjection,
  path: FieldPath,
  naming: NamingProfile,
): FieldError[] {
  return [
    ...(clusterTrustBundle ? validateTrustBundle(clusterTrustBundle, path.child('clusterTrustBundle'), naming) : []),
    ...(podCertificate ? validatePodCertificate(podCertificate, path.child('podCertificate'), naming) : []),
  ];
}

function validateTrustBundle(bundle: ClusterTrustBundleProjection, path: FieldPath, naming: NamingProfile): FieldError[] {
  const at = path.child('path');
  const file = bundle.path ?? '';
  return [...validateChoice(bundle, path, naming), ...(file === '' ? [required(at)] : relativeFilePath(at, file))];
}

/** One bundle by its name, or all bundles of a signer that labels select. */
function validateChoice(bundle: ClusterTrustBundleProjection, path: FieldPath, naming: NamingProfile): FieldError[] {
  const {name, signerName: signer, labelSelector} = bundle;
  const selectorPath = path.child('labelSelector');
  if (typeof name === 'string') {
    if (typeof signer === 'string') return [invalid(path, bundle, 'only one of name and signerName may be used')];
    const at = path.child('name');
    const faults = name === '' ? [required(at, 'must be a valid object name')] : [];
    faults.push(
      ...invalidFor(
        at,
        name,
        nameFaults(name).map((detail) => `not a valid clustertrustbundlename: ${detail}`),
      ),
    );
    if (labelSelector) faults.push(invalid(selectorPath, labelSelector, 'labelSelector must be unset if name is specified'));
    return faults;
  }
  if (typeof signer !== 'string') return [required(path, 'either name or signerName must be specified')];
  const at = path.child('signerName');
  return [
    ...(signer === '' ? [required(at, 'must be a valid signer name')] : []),
    ...signerNameFaults(signer, at, naming),
    ...validateLabelSelector(labelSelector, selectorPath),
  ];
}

/** A name with a colon is that of a signer's bundle. */
function nameFaults(name: string): string[] {
  const end = name.lastIndexOf(':');
  return end < 0 ? dnsSubdomainFaults(name) : trustBundleNameFaults(name, name.slice(0, end).replaceAll(':', '/'));
}

function validatePodCertificate(certificate: PodCertificateProjection, path: FieldPath, naming: NamingProfile): FieldError[] {
  const {signerName = '', keyType = '', maxExpirationSeconds: seconds, userAnnotations} = certificate;
  const at = path.child('maxExpirationSeconds');
  const faults = signerNameFaults(signerName, path.child('signerName'), naming);
  if (userAnnotations) faults.push(...validateAnnotations(userAnnotations, path.child('userAnnotations')));
  if (!keyTypes.includes(keyType)) faults.push(notSupported(path.child('keyType'), keyType, keyTypes));
  if (typeof seconds === 'number') {
    const {minimum} = lifetimes;
    const maximum = isOwnSigner(signerName, naming) ? lifetimes.ofOwnSigners : lifetimes.maximum;
    if (seconds < minimum) faults.push(invalid(at, seconds, `if provided, maxExpirationSeconds must be >= ${minimum}`));
    if (seconds > maximum) faults.push(invalid(at, seconds, `if provided, maxExpirationSeconds must be <= ${maximum}`));
  }
  const files = (['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const).filter((member) => certificate[member]);
  if (files.length === 0) faults.push(required(path, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath'));
  return [...faults, ...files.flatMap((member) => relativeFilePath(path.child(member), certificate[member] ?? ''))];
}
