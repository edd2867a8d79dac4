import {Agent} from 'node:https';
import {isIP} from 'node:net';
import {checkServerIdentity, createSecureContext, type SecureContext} from 'node:tls';
import {WebhookError, type WebhookCredentials} from '../../../sdk/index.js';
import {rootCertificates, rootContext} from './trusted-roots.js';

/** Connections to one address; calls beyond that wait for one. */
const connectionsPerAddress = 64;
/** Connections to one address that stay open while nobody uses them, and how long. */
const idleConnections = 8;
const idleMillis = 60_000;
/** Connections open for so long without a byte are probed, so that a peer that vanished is noticed. */
const probeMillis = 30_000;
/** Different ways to verify and to be verified that are kept; the one used longest ago gives way. */
const keptAgents = 100;

/** What two calls must have in common to share connections, besides the address. */
export interface TlsSettings {
  readonly caBundle: string | undefined;
  readonly serverName: string | undefined;
  readonly credentials: WebhookCredentials | undefined;
}

/** Connections that stay open between calls. Each pair of trusted authorities, server name and client certificate has its own. */
export class AgentPool {
  readonly #agents = new Map<string, Agent>();
  #closed = false;

  /** The agent for calls with these settings. @throws WebhookError (`Misconfigured`) when there can be none */
  agentFor(settings: TlsSettings): Agent {
    const key = keyOf(settings);
    const known = this.#agents.get(key);
    // Deleted and set, so that the first is the one used longest ago.
    this.#agents.delete(key);
    const agent = known ?? newAgent(settings, this.#closed);
    if (this.#closed) return agent;
    this.#agents.set(key, agent);
    if (this.#agents.size > keptAgents) this.#retire(this.#agents.keys().next().value!);
    return agent;
  }

  /** Closes connections that nobody uses, and the others once their answer is there. Agents made later keep none open. */
  close(): void {
    this.#closed = true;
    for (const key of this.#agents.keys()) this.#retire(key);
  }

  #retire(key: string): void {
    const agent = this.#agents.get(key)!;
    this.#agents.delete(key);
    agent.maxFreeSockets = 0;
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}

function keyOf({caBundle, serverName, credentials}: TlsSettings): string {
  return JSON.stringify([caBundle ?? '', serverName ?? '', credentials?.certificate ?? '', credentials?.key ?? '']);
}

function newAgent(settings: TlsSettings, isClosed: boolean): Agent {
  const {serverName} = settings;
  const identity =
    serverName === undefined
      ? {}
      : {
          // An address is no name that a handshake can ask for.
          servername: isIP(serverName) ? '' : serverName,
          checkServerIdentity: (_host: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
            checkServerIdentity(serverName, certificate),
        };
  return new Agent({
    keepAlive: !isClosed,
    keepAliveMsecs: probeMillis,
    maxSockets: connectionsPerAddress,
    maxFreeSockets: idleConnections,
    timeout: idleMillis,
    secureContext: secureContext(settings),
    ...identity,
  });
}

function secureContext({caBundle = '', credentials}: TlsSettings): SecureContext {
  const {certificate, key} = credentials ?? {};
  if (caBundle === '' && certificate === undefined) return rootContext();
  if (caBundle !== '' && !caBundle.includes('-----BEGIN CERTIFICATE-----'))
    throw new WebhookError('Misconfigured', 'the CA bundle holds no certificate in PEM');
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
