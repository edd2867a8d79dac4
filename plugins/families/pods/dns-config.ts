import {dnsSubdomainFaults, invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateIp} from '../../../sdk/net/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

const maximumNameservers = 3;
const maximumSearches = 32;
const maximumSearchCharacters = 2048;

/** Errors in a pod's DNS configuration. With the policy `None` there are no other settings, so it must name a server. */
export function validateDnsConfig({dnsConfig, dnsPolicy}: PodSpec, path: FieldPath): FieldError[] {
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
  faults.push(...nameservers.flatMap((address, index) => validateIp(address, nameserversPath.index(index))));
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
  for (const [index, search] of searches.entries()) {
    const domain = search.endsWith('.') ? search.slice(0, -1) : search;
    faults.push(...invalidFor(searchesPath.index(index), domain, dnsSubdomainFaults(domain)));
  }
  for (const [index, {name}] of (dnsConfig.options ?? []).entries()) {
    if (!name) faults.push(required(path.child('options').index(index), 'must not be empty'));
  }
  return faults;
}
