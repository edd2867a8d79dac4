/** Name formats. Those that strategies need too are exported by the sdk. Each is one function that returns its errors as strings. */
export {
  dataKeyFaults,
  dns1035LabelFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  environmentNameFaults,
  headerNameFaults,
  labelValueFaults,
  portNameFaults,
  qualifiedNameFaults,
} from '../../../sdk/index.js';

const separators = ['/', '%'] as const;

/**
 * Valid as one segment of a URL path: not `.` or `..`, no `/` or `%`. An empty string passes, because the presence of `name` is checked
 * elsewhere.
 */
export function pathSegmentFaults(text: string): string[] {
  const faults: string[] = [];
  if (text === '.' || text === '..') faults.push(`may not be '${text}'`);
  for (const character of separators) if (text.includes(character)) faults.push(`may not contain '${character}'`);
  return faults;
}
