import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  invalid,
  required,
  tooLong,
  type FieldError,
  type FieldPath,
  type NamingProfile,
} from '../../../sdk/index.js';

const maximumDomain = 253;
const maximumName = 571;

/** Errors in a signer name: `DOMAIN/PATH`. The platform's own signers are below its own domain, which may be a single word. */
export function signerNameFaults(name: string, path: FieldPath, naming: NamingProfile): FieldError[] {
  if (name === '') return [required(path)];
  const [domain = '', end, ...rest] = name.split('/');
  if (end === undefined || rest.length > 0) {
    return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const faults = [...domainFaults(domain, path, naming), ...endFaults(end, path)];
  if (name.length > maximumName) faults.push(tooLong(path, maximumName));
  return faults;
}

function domainFaults(domain: string, path: FieldPath, {keyPrefix}: NamingProfile): FieldError[] {
  if (domain === keyPrefix) return [];
  if (domain.length > maximumDomain) return [tooLong(path, maximumDomain)];
  const labels = domain.split('.');
  const faults = labels.flatMap((label) => dnsLabelFaults(label).map((detail) => invalid(path, domain, inLabel(label, detail))));
  if (labels.length < 2) faults.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
  return faults;
}

function endFaults(end: string, path: FieldPath): FieldError[] {
  return end.split('.').flatMap((label) => dnsSubdomainFaults(label).map((detail) => invalid(path, end, inLabel(label, detail))));
}

function inLabel(label: string, detail: string): string {
  return `validating label ${JSON.stringify(label)}: ${detail}`;
}

/** Whether a signer is one of the platform: those are below its domain. */
export function isOwnSigner(name: string, {keyPrefix}: NamingProfile): boolean {
  const [domain = ''] = name.split('/');
  return domain === keyPrefix || domain.endsWith(`.${keyPrefix}`);
}

/** Errors in the name of a ClusterTrustBundle: that of a signer begins with the signer's name. @param signer empty if it belongs to none */
export function trustBundleNameFaults(name: string, signer: string): string[] {
  if (signer === '')
    return name.includes(':') ? ['ClusterTrustBundle without signer name must not have ":" in its name'] : dnsSubdomainFaults(name);
  const prefix = `${signer.replaceAll('/', ':')}:`;
  return name.startsWith(prefix)
    ? dnsSubdomainFaults(name.slice(prefix.length))
    : [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
}
