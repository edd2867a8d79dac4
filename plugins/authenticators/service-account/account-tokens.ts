import {inject, injectable, Tokens, type Logger, type NamingProfile, type ServerPaths} from '../../../sdk/index.js';
import {TokenClaims} from './token-claims.js';
import {TokenKeys} from './token-keys.js';
import {tokenSettings, type TokenSettings} from './token-settings.js';

/**
 * By the plugin's configuration. Each class of the plugin gets its own `AccountTokens`, but a key that signs must be accepted immediately.
 */
const sharedKeys = new WeakMap<object, TokenKeys>();

/** What it takes to create and verify service account tokens. Injected into the classes of this plugin that do so. */
@injectable()
export class AccountTokens {
  readonly settings: TokenSettings;
  readonly keys: TokenKeys;
  readonly claims: TokenClaims;

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Paths) paths: ServerPaths,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.settings = tokenSettings(config, naming);
    const {signingKeyFile: signing, keyFiles: verifying} = this.settings;
    this.keys = sharedKeys.get(config) ?? new TokenKeys(paths, {signing, verifying}, logger);
    sharedKeys.set(config, this.keys);
    this.claims = new TokenClaims(naming);
  }
}
