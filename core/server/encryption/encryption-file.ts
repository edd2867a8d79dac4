import {closeSync, fstatSync, openSync, readFileSync} from 'node:fs';
import type {Logger, NamingProfile} from '../../../sdk/index.js';
import {DecodeError} from '../../api/codec/decode-error.js';
import type {Decoded} from '../../api/codec/json.js';
import {decodeYaml} from '../../api/codec/yaml.js';
import {errorDetail} from '../../kernel/error-detail.js';
import {KernelError, problem} from '../../kernel/kernel-error.js';
import {makeRules, type ConfiguredRules} from './encryption-rules.js';
import {parseEncryptionConfiguration} from './parse-configuration.js';

const maximumBytes = 1024 * 1024;

/** A configuration file as it was read. */
export interface EncryptionFile {
  readonly content: Buffer;
  readonly rules: ConfiguredRules;
}

/**
 * Reads an encryption configuration, YAML or JSON.
 *
 * @param path absolute
 * @throws KernelError with all problems; none of them tells a secret
 */
export async function readEncryptionFile(path: string, naming: NamingProfile, logger: Logger): Promise<EncryptionFile> {
  const content = readBounded(path, logger);
  const {value, duplicates} = decode(content, path);
  const {entries, faults} = parseEncryptionConfiguration(value, naming);
  KernelError.throwIfAny(
    [...duplicates.map((place) => ({path: place, text: 'is given twice'})), ...faults].map(({path: place, text}) =>
      problem('ENCRYPTION_INVALID', {detail: place === '' ? `it ${text}` : `${place} ${text}`}, {path: place, file: path}),
    ),
  );
  return {content, rules: await makeRules(entries)};
}

function readBounded(path: string, logger: Logger): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      const {size, mode} = fstatSync(file);
      if (size > maximumBytes) throw new Error(`it has ${size} bytes, and at most ${maximumBytes} are read`);
      if ((mode & 0o007) !== 0) logger.warn({path}, 'the encryption configuration holds keys, and everybody on this machine can use it');
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new KernelError([problem('ENCRYPTION_UNREADABLE', {detail: errorDetail(cause)}, {file: path, cause})]);
  }
}

function decode(content: Buffer, path: string): Decoded {
  try {
    return decodeYaml(content, {duplicates: true});
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    const detail = cause.message.replace(/^couldn't decode (JSON|YAML) body: /, '');
    throw new KernelError([problem('ENCRYPTION_UNREADABLE', {detail}, {file: path})]);
  }
}
