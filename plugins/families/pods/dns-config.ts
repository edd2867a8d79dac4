import {dnsSubdomainFaults, invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import {ipFieldFaults} from '../addresses/address-fields.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {mayUse, type PodRules} from './pod-rules.js';

const maximumNameservers = 3;
const maximumSearches = 32;
const maximumSearchCharacters = 2048;

/** Errors in a pod's DNS configuration. With the policy `None` there are no other settings, so it must name a server. */
export function validateDnsConfig({dnsConfig, dnsPolicy}: PodSpec, path: FieldPath, rules: PodRules): FieldError[] {
  const nameserversPath = path.child('nameservers');
  if (!dnsConfig) return dnsPolicy === 'None' ? [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')] : [];
  const nameservers = dnsConfig.nameservers ?? [];
  const searches = dnsConfig.searches ?? [];
  const faults: FieldError[] = [];
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    faults.push(required(nameserversPath, 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
  }
  if (nameservers.length > maximumNameservers) {
    faults.push(invalid(nameserversPath, nameservers, `must not have more than ${maximumNameservers} nameservers`));
  }
  faults.push(...nameservers.flatMap((address, index) => ipFieldFaults(address, nameserversPath.index(index), rules.gates)));
  const searchesPath = path.child('searches');
  if (searches.length > maximumSearches)
    faults.push(invalid(searchesPath, searches, `must not have more than ${maximumSearches} search paths`));
  if (searches.join(' ').length > maximumSearchCharacters) {
    faults.push(
      invalid(
        searchesPath,
        searches,
        `must not have more than ${maximumSearchCharacters} characters (including spaces) in the search list`,
      ),
    );
  }
  const isRelaxed = mayUse(rules, 'RelaxedDNSSearchValidation', ({dnsConfig: old}) =>
    Boolean(old?.searches?.some((search) => search === '.' || search.includes('_'))),
  );
  for (const [index, search] of searches.entries()) {
    if (isRelaxed && search === '.') continue;
    const domain = search.endsWith('.') ? search.slice(0, -1) : search;
    faults.push(...invalidFor(searchesPath.index(index), domain, (isRelaxed ? relaxedFaults : dnsSubdomainFaults)(domain)));
  }
  for (const [index, {name}] of (dnsConfig.options ?? []).entries()) {
    if (!name) faults.push(required(path.child('options').index(index), 'must not be empty'));
  }
  return faults;
}

const label = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const relaxedPattern = `${label}(\\.${label})*`;
const relaxedDomain = new RegExp(`^${relaxedPattern}$`);

/** A domain whose labels may have underscores, as those of services in DNS do. */
function relaxedFaults(text: string): string[] {
  const faults = text.length > 253 ? ['must be no more than 253 characters'] : [];
  if (relaxedDomain.test(text)) return faults;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return [...faults, `${rule} (e.g. 'example.com', regex used for validation is '${relaxedPattern}')`];
}
