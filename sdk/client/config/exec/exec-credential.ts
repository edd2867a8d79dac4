import {createPrivateKey, X509Certificate} from 'node:crypto';
import type {Credentials} from '../../connection.js';
import type {ExecPlugin} from './exec-plugin.js';

/** Credentials and their expiry, in milliseconds since 1970. */
export interface IssuedCredentials {
  readonly credentials: Credentials;
  /** Undefined: valid until the server rejects them. */
  readonly expires: number | undefined;
}

/** The plugin's input: an ExecCredential without status. */
export function execRequest({apiVersion, cluster, interactive}: ExecPlugin): string {
  return JSON.stringify({apiVersion, kind: 'ExecCredential', spec: {...(cluster ? {cluster} : {}), interactive}});
}

interface ExecStatus {
  token?: unknown;
  clientCertificateData?: unknown;
  clientKeyData?: unknown;
  expirationTimestamp?: unknown;
}

/** Parses a plugin's output. @throws Error unless it is an ExecCredential of the configured version with usable credentials */
export function issuedCredentials(output: string, {apiVersion}: Pick<ExecPlugin, 'apiVersion'>): IssuedCredentials {
  const answer = parsed(output);
  if (answer.kind !== 'ExecCredential')
    throw new Error(`it printed an object of kind ${JSON.stringify(answer.kind)}, not an ExecCredential`);
  if (answer.apiVersion !== apiVersion)
    throw new Error(`its ExecCredential has the version ${JSON.stringify(answer.apiVersion)}, but ${apiVersion} is configured`);
  const {status} = answer;
  if (typeof status !== 'object' || status === null) throw new Error('its ExecCredential has no status');
  const {token, clientCertificateData, clientKeyData, expirationTimestamp} = status as ExecStatus;
  const bearer = text('token', token);
  const certificate = text('clientCertificateData', clientCertificateData);
  const key = text('clientKeyData', clientKeyData);
  if ((certificate === undefined) !== (key === undefined))
    throw new Error('it returned only one of clientCertificateData and clientKeyData');
  if (bearer === undefined && certificate === undefined) throw new Error('it returned neither a token nor a client certificate');
  if (certificate !== undefined && key !== undefined) checkPair(certificate, key);
  return {
    credentials: {...(bearer === undefined ? {} : {token: bearer}), ...(certificate === undefined ? {} : {certificate, key: key!})},
    expires: expiry(expirationTimestamp),
  };
}

function parsed(output: string): {kind?: unknown; apiVersion?: unknown; status?: unknown} {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch (error) {
    throw new Error(`its output is not JSON: ${(error as Error).message}`, {cause: error});
  }
  if (typeof value !== 'object' || value === null) throw new Error('its output is not a JSON object');
  return value;
}

function text(member: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`its status.${member} is not a string`);
  return value;
}

function checkPair(certificate: string, key: string): void {
  try {
    if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) throw new Error('the key does not match the certificate');
  } catch (error) {
    throw new Error(`its client certificate and key cannot be used: ${(error as Error).message}`, {cause: error});
  }
}

function expiry(timestamp: unknown): number | undefined {
  const given = text('expirationTimestamp', timestamp);
  if (given === undefined) return undefined;
  const time = Date.parse(given);
  if (Number.isNaN(time)) throw new Error(`its expirationTimestamp ${JSON.stringify(given)} is not an RFC 3339 time`);
  return time;
}
