import {every, type Logger, type NamingProfile} from '../../sdk/index.js';
import type {ResourceCatalog} from '../api/types/resource-catalog.js';
import {KernelError, type KernelProblem} from '../kernel/kernel-error.js';
import {fileIdentity} from '../configuration/file-identity.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {ValueEncryption} from '../storage/encryption/value-encryption.js';
import {readEncryptionFile, type EncryptionFile} from './encryption-file.js';
import type {ConfiguredRules} from './encryption-rules.js';

/** Interval between checks of a file for changes. */
const lookMillis = 1000;

export interface EncryptionOptions {
  /** Absolute path of an `EncryptionConfiguration`. */
  readonly file: string;
  /** Whether changes of the file take effect while the server runs. */
  readonly automaticReload: boolean;
  readonly naming: NamingProfile;
  readonly logger: Logger;
}

/** Encryption of stored objects by a configuration file, which may change while the server runs. */
export class EncryptionAtRest {
  /** For `Storage`. */
  readonly values: ValueEncryption;
  #content: Buffer;
  #rules: ConfiguredRules;
  /** Identity of the file when it was last checked. */
  #seen = '';
  #stopLooking: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();
  readonly #options: EncryptionOptions;

  private constructor(options: EncryptionOptions, file: EncryptionFile) {
    this.#options = options;
    this.#content = file.content;
    this.#rules = file.rules;
    this.values = new ValueEncryption(file.rules);
  }

  /** @throws KernelError with all problems of the file */
  static async open(options: EncryptionOptions): Promise<EncryptionAtRest> {
    return new EncryptionAtRest(options, await readEncryptionFile(options.file, options.naming, options.logger));
  }

  /**
   * Checks the configuration against the served types, and starts watching for changes if reloading is on.
   *
   * @param changed called when other keys have come into force
   * @throws KernelError for resources that are stored under another name
   */
  start(catalog: ResourceCatalog, changed: () => void): void {
    KernelError.throwIfAny(this.#check(this.#rules, catalog));
    this.#logRules('objects are encrypted in the store');
    if (!this.#options.automaticReload) return;
    this.#stopLooking = every(lookMillis, () => {
      this.#looking = this.#looking.then(() => this.#look(catalog, changed));
    });
  }

  /** Resolves when nothing is being read any more. */
  async stop(): Promise<void> {
    this.#stopLooking();
    await this.#looking;
  }

  async #look(catalog: ResourceCatalog, changed: () => void): Promise<void> {
    const {file, naming, logger} = this.#options;
    const seen = await fileIdentity(file);
    if (seen === this.#seen) return;
    this.#seen = seen;
    try {
      const {content, rules} = await readEncryptionFile(file, naming, logger);
      if (content.equals(this.#content)) return;
      KernelError.throwIfAny(this.#check(rules, catalog));
      this.#content = content;
      this.#rules = rules;
      this.values.replace(rules);
      changed();
      this.#logRules('a new encryption configuration is in use');
    } catch (error) {
      logger.error({err: error, file}, 'the changed encryption configuration cannot be used; the previous one remains in use');
    }
  }

  #check({byName}: ConfiguredRules, catalog: ResourceCatalog): KernelProblem[] {
    const {file, logger} = this.#options;
    const problems: KernelProblem[] = [];
    const unknown: string[] = [];
    for (const name of byName.keys()) {
      if (name.startsWith('*')) continue;
      const type = catalog.type(name);
      if (!type || type.isVirtual) unknown.push(name);
      else if (type.storageName !== name) {
        problems.push(serverProblem('ENCRYPTION_INVALID', {detail: `${name} is stored as ${type.storageName}: name that`}, {file}));
      }
    }
    if (unknown.length > 0) {
      logger.warn({resources: unknown, file}, 'the encryption configuration names resources without stored objects; is that intended?');
    }
    return problems;
  }

  #logRules(message: string): void {
    const writers = [...this.#rules.byName].map(([name, [writer]]) => [name, [writer!.name, writer!.keyName].filter(Boolean).join(' ')]);
    this.#options.logger.info({written: Object.fromEntries(writers) as object}, message);
  }
}
