/**
 * Rules for names, with Kubernetes' messages. Every function returns the errors of a string; none if it is valid. Qualified names have
 * their own file.
 */

const qualifiedNamePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const label1035Pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
const dataKeyPattern = '[-._a-zA-Z0-9]+';
const environmentNamePattern = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const headerNamePattern = '[-A-Za-z0-9]+';

const qualifiedName = new RegExp(`^${qualifiedNamePattern}$`);
const label = new RegExp(`^${labelPattern}$`);
const subdomain = new RegExp(`^${subdomainPattern}$`);
const label1035 = new RegExp(`^${label1035Pattern}$`);
const dataKey = new RegExp(`^${dataKeyPattern}$`);
const environmentName = new RegExp(`^${environmentNamePattern}$`);
const headerName = new RegExp(`^${headerNamePattern}$`);

function patternMessage(rule: string, pattern: string, ...examples: string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${list}regex used for validation is '${pattern}')`;
}

function lengthFaults(text: string, maximum: number): string[] {
  return text.length > maximum ? [`must be no more than ${maximum} characters`] : [];
}

/** Lower-case letters, digits and hyphens, alphanumeric at both ends, at most 63. */
export function dnsLabelFaults(text: string): string[] {
  const faults = lengthFaults(text, 63);
  // What is a subdomain and no label has dots.
  if (text.length <= 4096 && !label.test(text) && subdomain.test(text)) faults.push('must not contain dots');
  else if (!label.test(text)) {
    const rule =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
    faults.push(patternMessage(rule, labelPattern, 'my-name', '123-abc'));
  }
  return faults;
}

/** DNS labels joined by dots, at most 253 in all; a single label may be longer than 63. */
export function dnsSubdomainFaults(text: string): string[] {
  const faults = lengthFaults(text, 253);
  // A longer string is invalid already; the pattern need not run over megabytes.
  if (text.length > 4096 || !subdomain.test(text)) {
    const rule =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
    faults.push(patternMessage(rule, subdomainPattern, 'example.com'));
  }
  return faults;
}

/** A DNS label that starts with a letter. */
export function dns1035LabelFaults(text: string): string[] {
  const faults = lengthFaults(text, 63);
  if (!label1035.test(text)) {
    const rule =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
    faults.push(patternMessage(rule, label1035Pattern, 'my-name', 'abc-123'));
  }
  return faults;
}

/** Empty, or like the name part of a qualified name. */
export function labelValueFaults(text: string): string[] {
  const faults = lengthFaults(text, 63);
  if (text !== '' && !qualifiedName.test(text)) {
    const rule =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    faults.push(patternMessage(rule, `(${qualifiedNamePattern})?`, 'MyValue', 'my_value', '12345'));
  }
  return faults;
}

function parentFolderFaults(text: string): string[] {
  if (text === '.') return ["must not be '.'"];
  if (text === '..') return ["must not be '..'"];
  return text.startsWith('..') ? ["must not start with '..'"] : [];
}

/** A key of a ConfigMap's or Secret's data: usable as a file name. */
export function dataKeyFaults(text: string): string[] {
  const faults = lengthFaults(text, 253);
  if (!dataKey.test(text)) {
    faults.push(
      patternMessage(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        dataKeyPattern,
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  return [...faults, ...parentFolderFaults(text)];
}

/** The name of an environment variable. */
export function environmentNameFaults(text: string): string[] {
  const faults: string[] = [];
  if (!environmentName.test(text)) {
    const rule =
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
    faults.push(patternMessage(rule, environmentNamePattern, 'my.env-name', 'MY_ENV.NAME', 'MyEnvName1'));
  }
  return [...faults, ...parentFolderFaults(text)];
}

/** The name of an HTTP header. */
export function headerNameFaults(text: string): string[] {
  if (headerName.test(text)) return [];
  return [patternMessage("a valid HTTP header must consist of alphanumeric characters or '-'", headerNamePattern, 'X-Header-Name')];
}

/** The name of a port: 1 to 15 of `[a-z0-9-]`, at least one letter, no two hyphens in a row, none at either end. */
export function portNameFaults(text: string): string[] {
  const faults = lengthFaults(text, 15);
  if (!/^[-a-z0-9]+$/.test(text)) faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(text)) faults.push('must contain at least one letter (a-z)');
  if (text.includes('--')) faults.push('must not contain consecutive hyphens');
  if (text.startsWith('-') || text.endsWith('-')) faults.push('must not begin or end with a hyphen');
  return faults;
}

/** The number of a port. */
export function portNumberFaults(port: number): string[] {
  return Number.isInteger(port) && port >= 1 && port <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];
}

/** A percentage such as `30%`. */
export function percentFaults(text: string): string[] {
  if (/^[0-9]+%$/.test(text)) return [];
  return [patternMessage("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%')];
}
