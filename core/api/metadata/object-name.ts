import {dataKeyFaults, dns1035LabelFaults, dnsLabelFaults, dnsSubdomainFaults, pathSegmentFaults} from './name-formats.js';

/** The rule for the name of an object; see `ResourceBehaviour.nameFormat`. */
export type NameFormat = 'dns-subdomain' | 'dns-label' | 'dns-1035-label' | 'data-key' | 'path-segment';

const rules: Readonly<Record<NameFormat, (text: string) => string[]>> = {
  'dns-subdomain': dnsSubdomainFaults,
  'dns-label': dnsLabelFaults,
  'dns-1035-label': dns1035LabelFaults,
  'data-key': dataKeyFaults,
  'path-segment': pathSegmentFaults,
};

/** The errors of an object's name under a format. Every name must also be a valid path segment. */
export function objectNameFaults(name: string, format: NameFormat): string[] {
  const faults = rules[format](name);
  return format === 'path-segment' || faults.length > 0 ? faults : pathSegmentFaults(name);
}

/** Like `objectNameFaults`, but for the prefix of a name: a trailing hyphen is allowed, because more characters follow. */
export function objectNamePrefixFaults(prefix: string, format: NameFormat): string[] {
  if (format === 'path-segment') return pathSegmentFaults(`${prefix}x`);
  // Kubernetes replaces the last two characters with a letter, so that both `a-` and `a--` pass.
  const masked = prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
  return objectNameFaults(masked, format);
}
