import type {NamingProfile} from '../../../sdk/index.js';
import {errorDetail} from '../../kernel/error-detail.js';
import {KernelError} from '../../kernel/kernel-error.js';
import {readConfigurationFile} from '../../configuration/read-configuration-file.js';
import {serverProblem} from '../../configuration/error-catalogue.js';
import {parseTracingConfiguration, type TracingConfiguration} from './parse-tracing-configuration.js';

/**
 * Reads a tracing configuration, YAML or JSON.
 *
 * @param path absolute
 * @throws KernelError with all problems
 */
export function readTracingConfiguration(path: string, naming: NamingProfile): TracingConfiguration {
  const {value, duplicates} = read(path);
  const {configuration, faults} = parseTracingConfiguration(value, naming);
  KernelError.throwIfAny(
    [...duplicates.map((place) => ({path: place, text: 'is given twice'})), ...faults].map(({path: place, text}) =>
      serverProblem('TRACING_INVALID', {detail: place === '' ? `it ${text}` : `${place} ${text}`}, {path: place, file: path}),
    ),
  );
  return configuration!;
}

function read(path: string) {
  try {
    return readConfigurationFile(path);
  } catch (cause) {
    throw new KernelError([serverProblem('TRACING_UNREADABLE', {detail: errorDetail(cause)}, {file: path, cause})]);
  }
}
