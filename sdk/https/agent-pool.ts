import {createHash} from 'node:crypto';
import {Agent} from 'node:https';
import {isIP} from 'node:net';
import {checkServerIdentity, createSecureContext, type SecureContext} from 'node:tls';
import {WebhookError} from '../errors/webhook-error.js';
import {rootCertificates, rootContext} from './trusted-roots.js';

/** Idle connections kept per address, and for how long. */
const idleConnections = 8;
const idleMillis = 60_000;
/** A silent connection is probed after this time, so that a vanished peer is noticed. */
const probeMillis = 30_000;
/** Agents kept, one for each set of TLS settings; the least recently used is dropped. */
const keptAgents = 100;
/** TLS contexts kept, one for each set of certificates. Many servers have the same, and each takes 10 ms and its memory. */
const keptContexts = 20;
/** Certificates of servers trusted with one set of TLS settings, the newest ones: a service's servers may each have their own. */
const keptCertificates = 8;

/** How the peer is verified, and the certificate it is shown. Calls with equal settings share connections. */
export interface TlsSettings {
  /** PEM certificates that the server's certificate must chain to; if absent or empty, the roots that the system and Node trust. */
  readonly caBundle?: string | undefined;
  /** Name that the certificate must be valid for, if not the host. */
  readonly serverName?: string | undefined;
  /** Client certificate, PEM. */
  readonly certificate?: string | undefined;
  /** Its private key, PEM. */
  readonly key?: string | undefined;
  /** Skips all verification. Only for settings made by whoever runs the server. */
  readonly insecure?: boolean | undefined;
}

/** Keeps connections open between calls, in one agent for each set of TLS settings. */
export class AgentPool {
  readonly #agents = new Map<string, Agent>();
  readonly #contexts = new Map<string, SecureContext>();
  readonly #certificates = new Map<string, readonly string[]>();
  readonly #connections: number;
  #closed = false;
  #trusted = 0;

  /** @param connections per address; further calls wait for one */
  constructor(connections: number) {
    this.#connections = connections;
  }

  /** The agent for calls with these settings. @throws WebhookError (`Misconfigured`) if the settings are invalid */
  agentFor(settings: TlsSettings): Agent {
    const key = keyOf(settings);
    const known = this.#agents.get(key);
    // Deleted and set again, so that the first entry is the least recently used.
    this.#agents.delete(key);
    const agent = known ?? newAgent(settings, this.#contextFor(settings, this.#certificates.get(key)), this.#connections, this.#closed);
    if (this.#closed) return agent;
    this.#agents.set(key, agent);
    if (this.#agents.size > keptAgents) this.#retire(this.#agents.keys().next().value!);
    return agent;
  }

  /** How often `trust` was called: whoever keeps an agent asks for it again when this has changed. */
  get trusted(): number {
    return this.#trusted;
  }

  /**
   * Trusts a server's certificate (PEM) beside the bundle, from the next `agentFor` with these settings on. The caller has seen that an
   * authority of the bundle signed it.
   */
  trust(settings: TlsSettings, certificate: string): void {
    const key = keyOf(settings);
    this.#trusted += 1;
    const others = (this.#certificates.get(key) ?? []).filter((other) => other !== certificate);
    // Deleted and set again, as agents are.
    this.#certificates.delete(key);
    this.#certificates.set(key, [...others.slice(1 - keptCertificates), certificate]);
    if (this.#certificates.size > keptAgents) this.#certificates.delete(this.#certificates.keys().next().value!);
    if (this.#agents.has(key)) this.#retire(key);
  }

  /** Closes idle connections now, and the others once their answers are complete. Agents created later keep none open. */
  close(): void {
    this.#closed = true;
    for (const key of this.#agents.keys()) this.#retire(key);
    this.#contexts.clear();
  }

  /** What trust and the client certificate have in common for all names of servers. @throws WebhookError (`Misconfigured`) */
  #contextFor({caBundle: bundle, certificate, key}: TlsSettings, trusted: readonly string[] = []): SecureContext {
    const caBundle = trusted.length === 0 ? bundle : [bundle, ...trusted].join('\n');
    const name = keyOf({caBundle, certificate, key});
    const context = this.#contexts.get(name) ?? secureContext({caBundle, certificate, key});
    // Deleted and set again, as agents are.
    this.#contexts.delete(name);
    if (this.#closed) return context;
    this.#contexts.set(name, context);
    if (this.#contexts.size > keptContexts) this.#contexts.delete(this.#contexts.keys().next().value!);
    return context;
  }

  #retire(key: string): void {
    const agent = this.#agents.get(key)!;
    this.#agents.delete(key);
    agent.maxFreeSockets = 0;
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}

/** A digest, because bundles may be large and are chosen by users. */
function keyOf({caBundle, serverName, certificate, key, insecure}: TlsSettings): string {
  const text = JSON.stringify([caBundle ?? '', serverName ?? '', certificate ?? '', key ?? '', insecure ?? false]);
  return createHash('sha256').update(text).digest('base64');
}

function newAgent(settings: TlsSettings, context: SecureContext, connections: number, isClosed: boolean): Agent {
  const {serverName} = settings;
  const identity =
    serverName === undefined
      ? {}
      : {
          // SNI takes names only, not addresses.
          servername: isIP(serverName) ? '' : serverName,
          checkServerIdentity: (_host: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
            checkServerIdentity(serverName, certificate),
        };
  return new Agent({
    keepAlive: !isClosed,
    keepAliveMsecs: probeMillis,
    maxSockets: connections,
    maxFreeSockets: idleConnections,
    timeout: idleMillis,
    secureContext: context,
    ...(settings.insecure ? {rejectUnauthorized: false} : {}),
    ...identity,
  });
}

function secureContext({caBundle = '', certificate, key}: TlsSettings): SecureContext {
  if (caBundle === '' && certificate === undefined) return rootContext();
  if (caBundle !== '' && !caBundle.includes('-----BEGIN CERTIFICATE-----'))
    throw new WebhookError('Misconfigured', 'the CA bundle contains no PEM certificate');
  try {
    return createSecureContext({
      ca: caBundle === '' ? rootCertificates() : caBundle,
      // A bundle may name an intermediate authority, or the server's own certificate.
      allowPartialTrustChain: true,
      ...(certificate === undefined ? {} : {cert: certificate, key}),
    });
  } catch (error) {
    throw new WebhookError('Misconfigured', `the CA bundle or the client certificate cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
