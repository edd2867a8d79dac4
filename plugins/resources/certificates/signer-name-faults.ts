import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  required,
  tooLong,
  type FieldError,
  type NamingProfile,
} from '../../../sdk/index.js';

const signerPath = FieldPath.of('spec', 'signerName');
const maximumDomain = 253;
const maximumName = 571;

/** Errors in the signer name of a request for a certificate. */
export function requestedSignerFaults(name: string, naming: NamingProfile): FieldError[] {
  return name === naming.key('orch/legacy-unknown')
    ? [invalid(signerPath, name, 'the legacy signerName is not allowed via this API version')]
    : signerNameFaults(name, naming);
}

/** Errors in a signer name: `DOMAIN/PATH`. The platform's own signers are below its own domain, which may be a single word. */
export function signerNameFaults(name: string, naming: NamingProfile): FieldError[] {
  if (name === '') return [required(signerPath)];
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    return [invalid(signerPath, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const faults = [...domainFaults(domain, naming), ...pathFaults(path)];
  if (name.length > maximumName) faults.push(tooLong(signerPath, maximumName));
  return faults;
}

function domainFaults(domain: string, {keyPrefix}: NamingProfile): FieldError[] {
  if (domain === keyPrefix) return [];
  if (domain.length > maximumDomain) return [tooLong(signerPath, maximumDomain)];
  const labels = domain.split('.');
  const faults = labels.flatMap((label) => dnsLabelFaults(label).map((detail) => invalid(signerPath, domain, inLabel(label, detail))));
  if (labels.length < 2) faults.push(invalid(signerPath, domain, 'should be a domain with at least two segments separated by dots'));
  return faults;
}

function pathFaults(path: string): FieldError[] {
  return path.split('.').flatMap((label) => dnsSubdomainFaults(label).map((detail) => invalid(signerPath, path, inLabel(label, detail))));
}

function inLabel(label: string, detail: string): string {
  return `validating label ${JSON.stringify(label)}: ${detail}`;
}
