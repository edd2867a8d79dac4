/** Formats of names. Those that strategies need as well are the sdk's; one function for each, all answer the faults as texts. */
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

/** What can stand as one segment of a URL path: not `.` or `..`, no `/` or `%`. Empty texts pass: `name` is checked for presence elsewhere. */
export function pathSegmentFaults(text: string): string[] {
  const faults: string[] = [];
  if (text === '.' || text === '..') faults.push(`may not be '${text}'`);
  for (const character of ['/', '%']) if (text.includes(character)) faults.push(`may not contain '${character}'`);
  return faults;
}
