import {Agent as PlainAgent} from 'node:http';
import {Agent as TlsAgent} from 'node:https';
import type {Connection, Credentials} from './connection.js';

/** Silent connections are probed after this time, so that a vanished peer is noticed. */
const probeMillis = 30_000;

/**
 * The connections of a client. They stay open between requests and use the client certificate, so a changed certificate or key requires new
 * ones: idle connections are closed immediately, busy ones after their response, and streams (watches) are ended.
 */
export class Connections {
  readonly #streams = new Set<() => void>();
  #agent: PlainAgent | TlsAgent | undefined;
  #certificate: string | undefined;
  #key: string | undefined;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The agent for requests with these credentials. */
  agentFor({certificate, key}: Credentials): PlainAgent | TlsAgent {
    if (this.#agent && certificate === this.#certificate && key === this.#key) return this.#agent;
    this.#retire();
    this.#certificate = certificate;
    this.#key = key;
    this.#agent = this.#connection.server.startsWith('https:')
      ? this.#tlsAgent()
      : new PlainAgent({keepAlive: true, keepAliveMsecs: probeMillis});
    return this.#agent;
  }

  /** Calls `end` when the current connections are closed. Returns a function that cancels this. */
  onRetire(end: () => void): () => void {
    this.#streams.add(end);
    return () => this.#streams.delete(end);
  }

  /** Closes everything, including requests in progress. */
  close(): void {
    this.#agent?.destroy();
    this.#agent = undefined;
  }

  #tlsAgent(): TlsAgent {
    const {certificateAuthority, insecureSkipTlsVerify, tlsServerName} = this.#connection;
    return new TlsAgent({
      keepAlive: true,
      keepAliveMsecs: probeMillis,
      ...(certificateAuthority === undefined ? {} : {ca: certificateAuthority}),
      ...(this.#certificate === undefined ? {} : {cert: this.#certificate, key: this.#key}),
      ...(tlsServerName === undefined ? {} : {servername: tlsServerName}),
      rejectUnauthorized: insecureSkipTlsVerify !== true,
    });
  }

  #retire(): void {
    const agent = this.#agent;
    if (!agent) return;
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    agent.on('free', (socket: {destroy(): void}) => socket.destroy());
    for (const end of this.#streams) end();
  }
}
