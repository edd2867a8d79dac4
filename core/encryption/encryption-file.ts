import type {Logger, NamingProfile} from '../../sdk/index.js';
import {errorDetail} from '../kernel/error-detail.js';
import {KernelError} from '../kernel/kernel-error.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {readConfigurationFile, type ConfigurationFile} from '../configuration/read-configuration-file.js';
import {makeRules, type ConfiguredRules} from './encryption-rules.js';
import {parseEncryptionConfiguration} from './parse-configuration.js';

/** A configuration file as it was read. */
export interface EncryptionFile {
  readonly content: Buffer;
  readonly rules: ConfiguredRules;
}

/**
 * Reads an encryption configuration, YAML or JSON.
 *
 * @param path absolute
 * @throws KernelError with all problems, without secrets
 */
export async function readEncryptionFile(path: string, naming: NamingProfile, logger: Logger): Promise<EncryptionFile> {
  const {content, value, duplicates, isOpenToAll} = read(path);
  if (isOpenToAll) logger.warn({path}, 'the encryption configuration contains keys, and every user of this machine can read it');
  const {entries, faults} = parseEncryptionConfiguration(value, naming);
  KernelError.throwIfAny(
    [...duplicates.map((place) => ({path: place, text: 'is given twice'})), ...faults].map(({path: place, text}) =>
      serverProblem('ENCRYPTION_INVALID', {detail: place === '' ? `it ${text}` : `${place} ${text}`}, {path: place, file: path}),
    ),
  );
  return {content, rules: await makeRules(entries)};
}

function read(path: string): ConfigurationFile {
  try {
    return readConfigurationFile(path);
  } catch (cause) {
    throw new KernelError([serverProblem('ENCRYPTION_UNREADABLE', {detail: errorDetail(cause)}, {file: path, cause})]);
  }
}
