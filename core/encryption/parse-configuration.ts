import type {NamingProfile} from '../../sdk/index.js';
import {cipherNames, keyLengths, type CipherName} from '../storage/encryption/value-provider.js';
import {ConfigurationReader, type ConfigurationFault} from '../configuration/configuration-reader.js';
import {GivenResources} from './given-resources.js';

/** One key, or plain text. */
export type ProviderConfiguration =
  | {readonly name: 'identity'}
  | {readonly name: CipherName; readonly keyName: string; readonly secret: Buffer};

/** One entry of `resources`. */
export interface ResourcesConfiguration {
  /** As given: `secrets`, `deployments.apps`, `*.apps`, `*.`, `*.*`. */
  readonly resources: readonly string[];
  /** The first one writes, all of them read. */
  readonly providers: readonly ProviderConfiguration[];
}

const kinds = ['aescbc', 'aesgcm', 'secretbox', 'identity', 'kms'] as const;
const longestName = 253;

/**
 * Reads an `EncryptionConfiguration` as in Kubernetes 1.26: `apiserver.config.orch/v1` by the naming profile, or
 * `v1` with the kind `EncryptionConfig`, as it was once documented there. Wildcards are those of 1.27.
 *
 * @returns all faults, or the entries if there are none. Faults contain no secrets
 */
export function parseEncryptionConfiguration(
  value: unknown,
  naming: NamingProfile,
): {entries: readonly ResourcesConfiguration[]; faults: readonly ConfigurationFault[]} {
  const reader = new ConfigurationReader();
  const root = reader.object(value, '', ['apiVersion', 'kind', 'resources']);
  if (!root) return {entries: [], faults: reader.faults};
  checkType(reader, root, naming);
  const given = new GivenResources(reader);
  const entries = reader.list(root.resources, 'resources').map((entry, index) => readEntry(reader, given, entry, `resources[${index}]`));
  return {entries: entries.filter((entry) => entry !== undefined), faults: reader.faults};
}

function checkType(reader: ConfigurationReader, {apiVersion, kind}: Record<string, unknown>, naming: NamingProfile): void {
  const current = `${naming.group('apiserver.config.orch')}/v1`;
  if (apiVersion === 'v1' && kind === 'EncryptionConfig') return;
  if (apiVersion !== current) reader.fault('apiVersion', `must be ${current}`);
  if (kind !== 'EncryptionConfiguration') reader.fault('kind', 'must be EncryptionConfiguration');
}

function readEntry(reader: ConfigurationReader, given: GivenResources, value: unknown, path: string): ResourcesConfiguration | undefined {
  const entry = reader.object(value, path, ['resources', 'providers']);
  if (!entry) return undefined;
  const resources = given.take(reader.list(entry.resources, `${path}.resources`), `${path}.resources`);
  const providers = reader
    .list(entry.providers, `${path}.providers`)
    .flatMap((provider, index) => readProvider(reader, provider, `${path}.providers[${index}]`));
  return {resources, providers};
}

function readProvider(reader: ConfigurationReader, value: unknown, path: string): ProviderConfiguration[] {
  const provider = reader.object(value, path, kinds);
  if (!provider) return [];
  const [name, ...others] = kinds.filter((kind) => Object.hasOwn(provider, kind));
  if (name === undefined || others.length > 0) {
    reader.fault(path, `must have exactly one of ${kinds.filter((kind) => kind !== 'kms').join(', ')}`);
    return [];
  }
  if (name === 'kms') {
    reader.fault(`${path}.kms`, `is not supported: use ${Object.keys(cipherNames).join(', ')} with keys in this file`);
    return [];
  }
  if (name === 'identity') {
    reader.object(provider.identity, `${path}.identity`, []);
    return [{name}];
  }
  const settings = reader.object(provider[name], `${path}.${name}`, ['keys']);
  if (!settings) return [];
  const known = new Set<string>();
  return reader
    .list(settings.keys, `${path}.${name}.keys`)
    .flatMap((key, index) => readKey(reader, name, key, `${path}.${name}.keys[${index}]`, known));
}

function readKey(reader: ConfigurationReader, name: CipherName, value: unknown, path: string, known: Set<string>): ProviderConfiguration[] {
  const key = reader.object(value, path, ['name', 'secret']);
  if (!key) return [];
  const keyName = reader.text(key.name, `${path}.name`);
  if (keyName !== undefined) {
    if (keyName.length > longestName) reader.fault(`${path}.name`, `must have at most ${longestName} characters`);
    if (!keyName.isWellFormed()) reader.fault(`${path}.name`, 'is not valid Unicode');
    if (known.has(keyName)) reader.fault(`${path}.name`, `is the name of an earlier key of this provider`);
    known.add(keyName);
  }
  const secret = readSecret(reader, name, key.secret, `${path}.secret`);
  return keyName === undefined || secret === undefined ? [] : [{name, keyName, secret}];
}

function readSecret(reader: ConfigurationReader, name: CipherName, value: unknown, path: string): Buffer | undefined {
  const text = reader.text(value, path)?.replace(/[\r\n]/g, '');
  if (text === undefined) return undefined;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    reader.fault(path, 'must be base64, with padding');
    return undefined;
  }
  const secret = Buffer.from(text, 'base64');
  const lengths = keyLengths[name];
  if (lengths.includes(secret.length)) return secret;
  reader.fault(path, `must be base64 of ${lengths.join(', ').replace(/, (?=[^,]*$)/, ' or ')} bytes, and is of ${secret.length}`);
  return undefined;
}
