import {isJsonObject, type JsonObject, type NamingProfile} from '../../sdk/index.js';
import {ConfigurationReader, type ConfigurationFault} from './configuration-reader.js';

/** One entry of `plugins`: either has `path`, the absolute path of a file with the configuration, or the configuration itself. */
export interface AdmissionEntry {
  /** Of the admission controller. */
  readonly name: string;
  /** Its path in the file, as in `plugins[0]`. */
  readonly place: string;
  readonly path?: string;
  readonly configuration?: JsonObject;
}

/**
 * Reads an `AdmissionConfiguration`: `apiserver.config.orch/v1` by the naming profile, or the older `apiserver.orch/v1alpha1`.
 *
 * @param absolute resolves a path relative to the file
 * @param known names of all admission controllers
 * @returns all faults, or the entries if there are none
 */
export function parseAdmissionConfiguration(
  value: unknown,
  naming: NamingProfile,
  absolute: (path: string) => string,
  known: readonly string[],
): {entries: readonly AdmissionEntry[]; faults: readonly ConfigurationFault[]} {
  const reader = new ConfigurationReader();
  const root = reader.object(value, '', ['apiVersion', 'kind', 'plugins']);
  if (!root) return {entries: [], faults: reader.faults};
  const versions = [`${naming.group('apiserver.config.orch')}/v1`, `${naming.group('apiserver.orch')}/v1alpha1`];
  if (!versions.includes(root.apiVersion as string)) reader.fault('apiVersion', `must be ${versions.join(' or ')}`);
  if (root.kind !== 'AdmissionConfiguration') reader.fault('kind', 'must be AdmissionConfiguration');
  const given = new Set<string>();
  const entries = (root.plugins === undefined ? [] : reader.list(root.plugins, 'plugins')).flatMap((item, index) => {
    const place = `plugins[${index}]`;
    const entry = readEntry(reader, item, place, absolute);
    if (!entry) return [];
    if (!known.includes(entry.name)) reader.fault(`${place}.name`, `is not an admission plugin; known are ${known.join(', ')}`);
    if (given.has(entry.name)) reader.fault(`${place}.name`, 'is the name of an earlier entry');
    given.add(entry.name);
    return [entry];
  });
  return {entries, faults: reader.faults};
}

function readEntry(
  reader: ConfigurationReader,
  value: unknown,
  place: string,
  absolute: (path: string) => string,
): AdmissionEntry | undefined {
  const entry = reader.object(value, place, ['name', 'path', 'configuration']);
  if (!entry) return undefined;
  const name = reader.text(entry.name, `${place}.name`);
  const hasPath = entry.path !== undefined && entry.path !== '';
  const hasConfiguration = entry.configuration !== undefined && entry.configuration !== null;
  if (hasPath === hasConfiguration) {
    reader.fault(place, 'must have exactly one of path, configuration');
    return undefined;
  }
  if (name === undefined) return undefined;
  if (hasPath) {
    const path = reader.text(entry.path, `${place}.path`);
    return path === undefined ? undefined : {name, place, path: absolute(path)};
  }
  if (!isJsonObject(entry.configuration)) {
    reader.fault(`${place}.configuration`, 'must be an object');
    return undefined;
  }
  return {name, place, configuration: entry.configuration};
}
