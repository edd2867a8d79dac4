import {closeSync, fstatSync, openSync, readFileSync} from 'node:fs';
import {DecodeError} from '../api/codec/decode-error.js';
import {decodeYaml} from '../api/codec/yaml.js';
import {errorDetail} from '../kernel/error-detail.js';

const maximumBytes = 1024 * 1024;

/** A file that an operator wrote, as it was read. */
export interface ConfigurationFile {
  readonly content: Buffer;
  readonly value: unknown;
  /** Places of members that are given twice. */
  readonly duplicates: readonly string[];
  /** Everybody on this machine can read or write it. */
  readonly isOpenToAll: boolean;
}

/**
 * Reads a file of at most 1 MiB, YAML or JSON.
 *
 * @param path absolute
 * @throws Error with the reason in one sentence, without contents of the file
 */
export function readConfigurationFile(path: string): ConfigurationFile {
  const {content, isOpenToAll} = readBounded(path);
  try {
    const {value, duplicates} = decodeYaml(content, {duplicates: true});
    return {content, value, duplicates, isOpenToAll};
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    throw new Error(cause.message.replace(/^couldn't decode (JSON|YAML) body: /, ''), {cause});
  }
}

function readBounded(path: string): {content: Buffer; isOpenToAll: boolean} {
  try {
    const file = openSync(path, 'r');
    try {
      const {size, mode} = fstatSync(file);
      if (size > maximumBytes) throw new Error(`it has ${size} bytes, and at most ${maximumBytes} are read`);
      return {content: readFileSync(file), isOpenToAll: (mode & 0o007) !== 0};
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new Error(errorDetail(cause), {cause});
  }
}
