import {join} from 'node:path';
import type {Client} from '../../sdk/client/client.js';
import {loadNow} from '../../sdk/plugin/load-now.js';
import {writeAdminKubeconfig} from '../pki/kubeconfig.js';
import type {Pki} from '../pki/ensure-pki.js';
import type {ServerSettings} from './server-settings.js';
import {loopbackName} from '../tls/serving-options.js';

/** Loaded when a client is asked for, so that a start does not pay for it: to be given to `prepareToLoad`. */
export const clientModule = new URL('../../sdk/client/client.js', import.meta.url);

/** How the administrator reaches a server from its own machine: its address, a client configuration file, a client. */
export class AdminAccess {
  #client: Client | undefined;
  readonly #settings: ServerSettings;

  constructor(settings: ServerSettings) {
    this.#settings = settings;
  }

  /** Path of the client configuration file. */
  get kubeconfig(): string {
    return join(this.#settings.dataDir, 'admin.kubeconfig');
  }

  /** `https://HOST:PORT`, of this machine where the server listens on all addresses. */
  urlAt(port: number): string {
    const {bindAddress} = this.#settings;
    const wildcard = bindAddress === '0.0.0.0' || bindAddress === '::';
    const host = wildcard ? '127.0.0.1' : bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
    return `https://${host}:${port}`;
  }

  async writeKubeconfig(url: string, {caCertificate, adminCertificate, adminKey}: Pki): Promise<void> {
    const {naming} = this.#settings;
    await writeAdminKubeconfig(this.kubeconfig, {
      url,
      ca: caCertificate,
      ...this.#loopback('serverName'),
      certificate: adminCertificate,
      key: adminKey,
      clusterName: naming.name,
      userName: `${naming.name}-admin`,
    });
  }

  /** A client with the administrator's certificate, the same at each call until `close`. */
  clientOf(url: string, {caCertificate: certificateAuthority, adminCertificate: certificate, adminKey: key}: Pki): Client {
    if (this.#client) return this.#client;
    const library = loadNow(clientModule) as {Client: typeof Client};
    return (this.#client = new library.Client(
      {server: url, certificateAuthority, ...this.#loopback('tlsServerName'), credentials: {certificate, key}},
      {platform: this.#settings.naming},
    ));
  }

  /** Asks a server that nobody uses for what its first users will. `isBusy`: whether somebody has come. Never fails. */
  async warmUp(url: string, {caCertificate, adminCertificate, adminKey}: Pki, isBusy: () => boolean): Promise<void> {
    const {warmUp} = await import('./warm-up.js');
    const pem = {certificateAuthority: caCertificate, certificate: adminCertificate, key: adminKey};
    await warmUp({url, ...pem, ...this.#loopback('serverName'), isBusy});
  }

  close(): void {
    this.#client?.close();
  }

  /** What the server's own clients ask for, where they would get a certificate that its own CA may not have signed. */
  #loopback<K extends string>(member: K): {readonly [M in K]?: string} {
    const {pair, named} = this.#settings.serving;
    return (pair ?? named[0]) === undefined ? {} : ({[member]: loopbackName} as {[M in K]: string});
  }
}
