import {dirname, resolve} from 'node:path';
import {isJsonObject, type AdmissionConfigurations, type JsonObject, type Logger, type NamingProfile} from '../../sdk/index.js';
import {errorDetail} from '../kernel/error-detail.js';
import {KernelError, type KernelProblem} from '../kernel/kernel-error.js';
import {serverProblem} from './error-catalogue.js';
import {readConfigurationFile, type ConfigurationFile} from './read-configuration-file.js';
import {parseAdmissionConfiguration, type AdmissionEntry} from './parse-admission-configuration.js';

/** The operator's configuration of admission controllers, and which of them have used it. */
export class AdmissionConfigurationFile implements AdmissionConfigurations {
  readonly #file: string;
  readonly #configurations: ReadonlyMap<string, JsonObject>;
  readonly #taken = new Set<string>();

  private constructor(file: string, configurations: ReadonlyMap<string, JsonObject>) {
    this.#file = file;
    this.#configurations = configurations;
  }

  /**
   * Reads the file and the files that it names, each of at most 1 MiB.
   *
   * @param file absolute
   * @param known names of all admission controllers
   * @throws KernelError with all problems of the files; each controller checks its own configuration
   */
  static open(file: string, naming: NamingProfile, known: readonly string[]): AdmissionConfigurationFile {
    const {value, duplicates} = read(file);
    const {entries, faults} = parseAdmissionConfiguration(value, naming, (path) => resolve(dirname(file), path), known);
    const problems = [...duplicatesOf(duplicates, file), ...faults.map(({path, text}) => invalid(path, text, file))];
    KernelError.throwIfAny(problems);
    const configurations = new Map<string, JsonObject>();
    for (const entry of entries) configurations.set(entry.name, contents(entry, problems));
    KernelError.throwIfAny(problems);
    return new AdmissionConfigurationFile(file, configurations);
  }

  get(name: string): JsonObject | undefined {
    this.#taken.add(name);
    return this.#configurations.get(name);
  }

  /** Warns of entries without effect. Call it after the controllers have been constructed. */
  warnOfUnused(logger: Logger): void {
    const unused = [...this.#configurations.keys()].filter((name) => !this.#taken.has(name));
    if (unused.length === 0) return;
    logger.warn(
      {admission: unused, file: this.#file},
      'configurations of admission plugins have no effect: these plugins are disabled or take no configuration',
    );
  }
}

function contents({place, path, configuration}: AdmissionEntry, problems: KernelProblem[]): JsonObject {
  if (path === undefined) return configuration!;
  const {value, duplicates} = read(path);
  problems.push(...duplicatesOf(duplicates, path));
  if (isJsonObject(value)) return value;
  problems.push(invalid('', `must be an object, as ${place} needs one`, path));
  return {};
}

function read(path: string): ConfigurationFile {
  try {
    return readConfigurationFile(path);
  } catch (cause) {
    throw new KernelError([serverProblem('ADMISSION_CONFIGURATION_UNREADABLE', {detail: errorDetail(cause)}, {file: path, cause})]);
  }
}

function duplicatesOf(places: readonly string[], file: string): KernelProblem[] {
  return places.map((place) => invalid(place, 'is given twice', file));
}

function invalid(place: string, text: string, file: string): KernelProblem {
  return serverProblem('ADMISSION_CONFIGURATION_INVALID', {detail: place === '' ? `it ${text}` : `${place} ${text}`}, {path: place, file});
}
