import type {Authorizer, ConfiguredAuthorizer, Logger, Metrics, NamingProfile} from '../../../sdk/index.js';
import {ReloadFigures, WatchedFile} from '../../../sdk/configuration/index.js';
import type {NamedAuthorizer} from './authorization.js';
import {readEntries, repeatableType, type AuthorizerEntry} from './authorizer-entries.js';
import {requireValidEntries} from './entry-faults.js';

/** An authorizer of a plugin. */
export interface ModeAuthorizer extends NamedAuthorizer {
  /** Undefined for one that is always asked. */
  readonly mode?: string | undefined;
  /** Those without a mode that come before this place are asked before the entries of the file. */
  readonly order: number;
}

export interface AuthorizationFileOptions {
  readonly naming: NamingProfile;
  /** Of Kubernetes. */
  readonly release: string;
  /** Those of all plugins, in order. */
  readonly authorizers: readonly ModeAuthorizer[];
  /** Types that any plugin provides, whether it takes part or not. */
  readonly knownTypes: ReadonlySet<string>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

interface Made {
  /** As text. */
  readonly settings: string;
  readonly instance: ConfiguredAuthorizer;
}

/** Place of the entries among authorizers without a mode. */
const placeOfEntries = 500;

/** The file of `--authorization-config`: which authorizers are asked, in which order. */
export class AuthorizationFile {
  readonly #file: WatchedFile;
  readonly #options: AuthorizationFileOptions;
  readonly #figures: ReloadFigures;
  #required: ReadonlySet<string> = new Set();
  /** By name, with the settings that they were made from. */
  #made: ReadonlyMap<string, Made> = new Map();

  /** @param path absolute */
  constructor(path: string, options: AuthorizationFileOptions) {
    this.#file = new WatchedFile(path);
    this.#options = options;
    this.#figures = new ReloadFigures(options.metrics, 'authorization');
  }

  /** The authorizers to ask. @throws Error that names the file, with all that is wrong with it */
  async read(): Promise<readonly NamedAuthorizer[]> {
    try {
      const text = await this.#file.read();
      const entries = await this.#entries(text);
      const chain = await this.#chain(entries);
      this.#required = new Set(entries.flatMap(({type}) => (type && type !== repeatableType ? [type] : [])));
      this.#figures.inForce(text);
      return chain;
    } catch (error) {
      throw new Error(`--authorization-config ${this.#file.path}: ${(error as Error).message}`, {cause: error});
    }
  }

  /** Calls back with the authorizers when the file has changed. A file that cannot be used changes nothing. */
  follow(onChange: (authorizers: readonly NamedAuthorizer[]) => void): void {
    const failed = (err: unknown) => {
      this.#figures.failed();
      this.#options.logger.error({err}, 'the changed authorization configuration cannot be used; the previous one remains in use');
    };
    this.#file.follow(async (text) => {
      try {
        const entries = await this.#entries(text);
        onChange(await this.#chain(entries));
        this.#figures.reloaded(text);
        const authorizers = entries.map(({name}) => name);
        this.#options.logger.info({file: this.#file.path, authorizers}, 'the authorization configuration has changed');
      } catch (error) {
        failed(error);
      }
    }, failed);
  }

  async close(): Promise<void> {
    await this.#file.close();
    for (const {instance} of this.#made.values()) instance.close();
    this.#made = new Map();
  }

  async #entries(text: string): Promise<readonly AuthorizerEntry[]> {
    const {naming, release, knownTypes} = this.#options;
    const entries = await readEntries(text, naming, release);
    await requireValidEntries(entries, {types: knownTypes, requiredTypes: this.#required, factory: this.#ofMode(repeatableType)?.factory});
    return entries;
  }

  /** Everything is made before anything changes. What is the same as before stays, with what it remembers. */
  async #chain(entries: readonly AuthorizerEntry[]): Promise<readonly NamedAuthorizer[]> {
    const made = new Map<string, Made>();
    const fresh: ConfiguredAuthorizer[] = [];
    const chosen: NamedAuthorizer[] = [];
    try {
      for (const {type = '', name = '', webhook = {}} of entries) {
        const plugin = this.#ofMode(type);
        if (!plugin) throw new Error(`authorizer type ${type} is not allowed if it was not enabled at initial server startup`);
        if (!plugin.factory) {
          chosen.push({name, type, instance: plugin});
          continue;
        }
        const settings = JSON.stringify(webhook);
        const earlier = this.#made.get(name);
        const instance = earlier?.settings === settings ? earlier.instance : await plugin.factory.make(name, webhook);
        if (instance !== earlier?.instance) fresh.push(instance);
        made.set(name, {settings, instance});
        chosen.push({name, type, instance});
      }
    } catch (error) {
      for (const instance of fresh) instance.close();
      throw error;
    }
    const kept = new Set([...made.values()].map(({instance}) => instance));
    for (const {instance} of this.#made.values()) if (!kept.has(instance)) instance.close();
    this.#made = made;
    const others = this.#options.authorizers.filter(({mode}) => mode === undefined);
    return [...others.filter(({order}) => order < placeOfEntries), ...chosen, ...others.filter(({order}) => order >= placeOfEntries)];
  }

  #ofMode(mode: string): Authorizer | undefined {
    return this.#options.authorizers.find((authorizer) => authorizer.mode === mode)?.instance;
  }
}
