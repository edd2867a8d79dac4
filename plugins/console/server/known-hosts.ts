import type {IncomingMessage} from 'node:http';
import {isIP} from 'node:net';

/** The settings of the plugin. */
export interface ConsoleSettings {
  readonly hosts: readonly string[];
  /** The provider of the server's `--oidc-*` flags, if it has one. */
  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcCaFile?: string;
}

/**
 * Which names the console is answered under. A page of somebody else's can have its own name lead to this server (rebinding of names), and is then of the same
 * origin as what the server answers under that name. An address in the place of the name cannot be made to lead elsewhere.
 */
export class KnownHosts {
  readonly #names: ReadonlySet<string>;

  constructor({hosts}: ConsoleSettings) {
    this.#names = new Set(['localhost', ...hosts]);
  }

  /** The origin of pages that a request's `Host` stands for, as in `https://127.0.0.1:6443`; undefined for a name that is not known. */
  originOf({headers: {host = ''}}: Pick<IncomingMessage, 'headers'>): string | undefined {
    if (!URL.canParse(`https://${host}`)) return undefined;
    const {hostname, origin, pathname, search, hash, username} = new URL(`https://${host}`);
    if (pathname !== '/' || search !== '' || hash !== '' || username !== '' || host.includes('/')) return undefined;
    return this.#names.has(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 ? origin : undefined;
  }
}
