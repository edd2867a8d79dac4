import type {Credentials, CredentialSource} from '../../connection.js';
import {issuedCredentials, type IssuedCredentials} from './exec-credential.js';
import type {ExecPlugin} from './exec-plugin.js';
import {runPlugin} from './run-plugin.js';

/**
 * Credentials from a plugin. They are cached until they expire or, without expiry, until the server rejects them or this process ends.
 * Concurrent requests share one run of the plugin.
 */
export class ExecCredentials implements CredentialSource {
  #current: IssuedCredentials | undefined;
  #running: Promise<Credentials> | undefined;
  readonly #plugin: ExecPlugin;
  readonly #others: Credentials;

  /** @param others credentials in the configuration file itself; those of the plugin take precedence */
  constructor(plugin: ExecPlugin, others: Credentials = {}) {
    this.#plugin = plugin;
    this.#others = others;
  }

  get(signal: AbortSignal): Credentials | Promise<Credentials> {
    if (this.#current && !isOver(this.#current)) return this.#current.credentials;
    return (this.#running ??= this.#run(signal).finally(() => (this.#running = undefined)));
  }

  rejected(used: Credentials): boolean {
    if (used === this.#current?.credentials) this.#current = undefined;
    return true;
  }

  async #run(signal: AbortSignal): Promise<Credentials> {
    try {
      const issued = issuedCredentials(await runPlugin(this.#plugin, signal), this.#plugin);
      this.#current = {credentials: {...this.#others, ...issued.credentials}, expires: issued.expires};
      return this.#current.credentials;
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(`${this.#plugin.where}: the credential plugin returned no credentials: ${(error as Error).message}`, {cause: error});
    }
  }
}

function isOver({expires}: IssuedCredentials): boolean {
  return expires !== undefined && Date.now() >= expires;
}
