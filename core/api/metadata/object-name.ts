import {dns1035LabelFaults, dnsLabelFaults, dnsSubdomainFaults, pathSegmentFaults} from './name-formats.js';

/** The rule for the name of an object; see `ResourceBehaviour.nameFormat`. */
export type NameFormat = 'dns-subdomain' | 'dns-label' | 'dns-1035-label' | 'path-segment';

const rules: Readonly<Record<NameFormat, (text: string) => string[]>> = {
  'dns-subdomain': dnsSubdomainFaults,
  'dns-label': dnsLabelFaults,
  'dns-1035-label': dns1035LabelFaults,
  'path-segment': pathSegmentFaults,
};

/** What is wrong with an object's name under a format. Every name must be usable as a path segment besides. */
export function objectNameFaults(name: string, format: NameFormat): string[] {
  const faults = rules[format](name);
  return format === 'path-segment' || faults.length > 0 ? faults : pathSegmentFaults(name);
}

/** As `objectNameFaults` for the beginning of a name: a hyphen at its end is tolerated, as more will follow. */
export function objectNamePrefixFaults(prefix: string, format: NameFormat): string[] {
  if (format === 'path-segment') return pathSegmentFaults(`${prefix}x`);
  // Kubernetes puts a letter in the place of the last two characters, so that `a-` passes and `a--` does too.
  const masked = prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
  return objectNameFaults(masked, format);
}
