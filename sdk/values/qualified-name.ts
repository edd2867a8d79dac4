const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const name = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const subdomainPattern = new RegExp(`^${subdomain}$`);
const namePattern = new RegExp(`^${name}$`);

const nameDetail =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${name}')`;
const subdomainDetail =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  `with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`;

/**
 * Errors of a qualified name: an optional DNS subdomain and a slash, then 1 to 63 characters. Label and annotation keys, finalizers,
 * condition types and names of controllers have this form. Empty if it is valid.
 */
export function qualifiedNameFaults(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [`a qualified name ${nameDetail} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const faults: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0]!;
    if (prefix === '') faults.push('prefix part must be non-empty');
    else {
      // Lengths first: the patterns take quadratic time on strings that do not match.
      if (prefix.length > 253) faults.push('prefix part must be no more than 253 characters');
      else if (!subdomainPattern.test(prefix)) faults.push(`prefix part ${subdomainDetail}`);
    }
  }
  const local = parts.at(-1)!;
  if (local === '') faults.push('name part must be non-empty');
  if (local.length > 63) faults.push('name part must be no more than 63 characters');
  else if (!namePattern.test(local)) faults.push(`name part ${nameDetail}`);
  return faults;
}
