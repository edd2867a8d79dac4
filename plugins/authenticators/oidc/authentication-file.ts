import {fieldErrorText, FieldPath, forbiddenField, type Logger} from '../../../sdk/index.js';
import {WatchedFile, type ReloadFigures} from '../../../sdk/configuration/index.js';
import type {AuthenticationConfiguration} from '../../families/authentication/configuration-fields.js';
import {readAuthenticationText} from '../../families/authentication/read-authentication-file.js';
import type {JwtSettings} from './jwt-settings.js';
import {understandConfiguration, type ConfigurationTools} from './read-configuration.js';

/** The file of `--authentication-config`. */
export class AuthenticationFile {
  /** What it said first about anonymous requests, which holds until the server ends. */
  #anonymous: string | undefined;
  readonly #file: WatchedFile;
  readonly #tools: ConfigurationTools;
  readonly #figures: ReloadFigures;
  readonly #logger: Logger;

  /** @param path absolute */
  constructor(path: string, tools: ConfigurationTools, figures: ReloadFigures, logger: Logger) {
    this.#file = new WatchedFile(path);
    this.#tools = tools;
    this.#figures = figures;
    this.#logger = logger;
  }

  /** @throws Error that names the file, with all that is wrong with it */
  async read(): Promise<readonly JwtSettings[]> {
    let text: string;
    let fields: AuthenticationConfiguration;
    try {
      text = await this.#file.read();
      fields = await readAuthenticationText(text, this.#tools.naming, this.#tools.release);
    } catch (error) {
      const where = `failed to load authentication configuration from file ${JSON.stringify(this.#file.path)}`;
      throw new Error(`${where}: ${(error as Error).message}`, {cause: error});
    }
    const {jwt, anonymous} = await understandConfiguration(fields, this.#tools);
    this.#anonymous = JSON.stringify(anonymous);
    this.#figures.inForce(text);
    return jwt;
  }

  /** Calls back with the new settings when the file has changed. A file that cannot be used changes nothing. */
  follow(onChange: (settings: readonly JwtSettings[]) => void): void {
    const failed = (err: unknown) => {
      this.#figures.failed();
      this.#logger.error({err}, 'the changed authentication configuration cannot be used; the previous one remains in use');
    };
    this.#file.follow(async (text) => {
      try {
        const fields = await readAuthenticationText(text, this.#tools.naming, this.#tools.release);
        const {jwt, anonymous} = await understandConfiguration(fields, this.#tools);
        if (JSON.stringify(anonymous) !== this.#anonymous)
          throw new Error(fieldErrorText(forbiddenField(FieldPath.of('anonymous'), 'changed from initial configuration file')));
        onChange(jwt);
        this.#figures.reloaded(text);
        this.#logger.info({file: this.#file.path, issuers: jwt.map(({issuer}) => issuer)}, 'the authentication configuration has changed');
      } catch (error) {
        failed(error);
      }
    }, failed);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
