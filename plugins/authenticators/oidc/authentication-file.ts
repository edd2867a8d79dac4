import {readFile, stat} from 'node:fs/promises';
import type {JsonValue, Logger} from '../../../sdk/index.js';
import type {JwtSettings} from './jwt-settings.js';
import {readConfiguration, type ConfigurationTools} from './read-configuration.js';

const maximumBytes = 1024 * 1024;
/** How often the file is looked at, in milliseconds. */
const lookMillis = 1000;

/** The file of `--authentication-config`. */
export class AuthenticationFile {
  #identity = '';
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  readonly #path: string;
  readonly #tools: ConfigurationTools;
  readonly #logger: Logger;

  /** @param path absolute */
  constructor(path: string, tools: ConfigurationTools, logger: Logger) {
    this.#path = path;
    this.#tools = tools;
    this.#logger = logger;
  }

  /** @throws Error that names the file, with all that is wrong with it */
  async read(): Promise<JwtSettings[]> {
    // Before the file is read, so that a change during the read is seen.
    this.#identity = await this.#identityNow();
    try {
      return await readConfiguration(await this.#content(), this.#tools);
    } catch (error) {
      throw new Error(`--authentication-config: ${this.#path}: ${(error as Error).message}`, {cause: error});
    }
  }

  /** Calls back with the new settings when the file has changed. A file that cannot be used changes nothing. */
  follow(onChange: (settings: JwtSettings[]) => void): void {
    const look = () => {
      this.#looking ??= this.#look(onChange).finally(() => (this.#looking = undefined));
    };
    this.#timer = setInterval(look, lookMillis).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  async #look(onChange: (settings: JwtSettings[]) => void): Promise<void> {
    if ((await this.#identityNow()) === this.#identity) return;
    try {
      const settings = await this.read();
      if (this.#timer === undefined) return;
      onChange(settings);
      this.#logger.info({file: this.#path, issuers: settings.map(({issuer}) => issuer)}, 'the authentication configuration has changed');
    } catch (error) {
      this.#logger.error({err: error}, 'the changed authentication configuration cannot be used; the previous one remains in use');
    }
  }

  async #content(): Promise<JsonValue> {
    const {size} = await stat(this.#path);
    if (size > maximumBytes) throw new Error(`it has ${size} bytes, and at most ${maximumBytes} are read`);
    const [{load}, text] = await Promise.all([import('js-yaml'), readFile(this.#path, 'utf8')]);
    return load(text) as JsonValue;
  }

  async #identityNow(): Promise<string> {
    try {
      const {mtimeMs, ctimeMs, size, ino} = await stat(this.#path);
      return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    } catch (error) {
      return String(error);
    }
  }
}
