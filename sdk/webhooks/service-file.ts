import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import type {WebhookCredentials} from '../contracts/webhook-caller.js';

/** A remote service and the server's credentials for it, from a client configuration file. Certificates and keys are PEM. */
export interface RemoteService {
  /** `https` URL with path. */
  readonly url: string;
  /** CA certificates for the service's certificate; the system's by default. */
  readonly ca?: string;
  readonly serverName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificate?: string;
  readonly key?: string;
  /** Value of the header `Authorization`. */
  readonly authorization?: string;
}

/** The users of a client configuration file by name, and that of its current context. Certificates and keys are PEM. */
export interface CredentialsFile {
  readonly users: ReadonlyMap<string, WebhookCredentials>;
  readonly current: WebhookCredentials | undefined;
}

type Entry = Record<string, unknown>;

/**
 * Reads the service in a client configuration file: the cluster and user of the current context, or the only ones. Paths are relative to
 * the file's folder.
 *
 * @throws Error with a one-sentence message that names the file
 */
export async function readServiceFile(file: string): Promise<RemoteService> {
  try {
    const {load} = await import('js-yaml');
    const root = record(load(await readFile(file, 'utf8')), 'the file');
    const contexts = entries(root, 'contexts', 'context');
    const current = root['current-context'];
    const context = typeof current === 'string' && current !== '' ? named(contexts, current, 'context') : undefined;
    const cluster = chosen(entries(root, 'clusters', 'cluster'), context?.['cluster'], 'cluster');
    if (!cluster) throw new Error('it contains no cluster');
    const user = chosen(entries(root, 'users', 'user'), context?.['user'], 'user') ?? {};
    return await service(cluster, user, dirname(resolve(file)));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, {cause: error});
  }
}

/**
 * Reads the credentials in a client configuration file. Paths are relative to the file's folder.
 *
 * @throws Error with a one-sentence message that names the file
 */
export async function readCredentialsFile(file: string): Promise<CredentialsFile> {
  try {
    const {load} = await import('js-yaml');
    const root = record(load(await readFile(file, 'utf8')), 'the file');
    const folder = dirname(resolve(file));
    const users = new Map<string, WebhookCredentials>();
    for (const [name, user] of entries(root, 'users', 'user')) users.set(name, await credentialsOf(user, folder));
    const current = root['current-context'];
    const context = typeof current === 'string' ? entries(root, 'contexts', 'context').get(current) : undefined;
    return {users, current: users.get(String(context?.['user']))};
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, {cause: error});
  }
}

async function credentialsOf(user: Entry, folder: string): Promise<WebhookCredentials> {
  const {certificate, key} = await certificateOf(user, folder);
  const token = await tokenOf(user, folder);
  const username = text(user, 'username');
  return {
    ...(certificate === undefined ? {} : {certificate, key: key!}),
    ...(token === undefined ? {} : {token}),
    ...(token !== undefined || username === undefined ? {} : {basic: {username, password: text(user, 'password') ?? ''}}),
  };
}

async function certificateOf(user: Entry, folder: string): Promise<{certificate: string | undefined; key: string | undefined}> {
  if (user['exec'] !== undefined || user['auth-provider'] !== undefined)
    throw new Error('credential plugins are not supported for this user');
  const [certificate, key] = await Promise.all([contents(user, 'client-certificate', folder), contents(user, 'client-key', folder)]);
  if ((certificate === undefined) !== (key === undefined)) throw new Error('client-certificate and client-key must be given together');
  return {certificate, key};
}

async function tokenOf(user: Entry, folder: string): Promise<string | undefined> {
  const tokenFile = text(user, 'tokenFile');
  return tokenFile === undefined ? text(user, 'token') : (await readFile(resolve(folder, tokenFile), 'utf8')).trim();
}

async function service(cluster: Entry, user: Entry, folder: string): Promise<RemoteService> {
  const url = text(cluster, 'server') ?? '';
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new Error(`the server must be an https URL, not ${JSON.stringify(url)}`);
  const [ca, {certificate, key}] = await Promise.all([contents(cluster, 'certificate-authority', folder), certificateOf(user, folder)]);
  const serverName = text(cluster, 'tls-server-name');
  const authorization = await authorizationOf(user, folder);
  return {
    url,
    ...(ca === undefined ? {} : {ca}),
    ...(serverName === undefined ? {} : {serverName}),
    ...(cluster['insecure-skip-tls-verify'] === true ? {insecureSkipTlsVerify: true} : {}),
    ...(certificate === undefined ? {} : {certificate, key: key!}),
    ...(authorization === undefined ? {} : {authorization}),
  };
}

async function authorizationOf(user: Entry, folder: string): Promise<string | undefined> {
  const {token, basic} = await credentialsOf(user, folder);
  if (token !== undefined) return `Bearer ${token}`;
  return basic && `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`;
}

/** The content of `NAME-data` in base64, or otherwise of the file in `NAME`. */
async function contents(entry: Entry, name: string, folder: string): Promise<string | undefined> {
  const data = text(entry, `${name}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const file = text(entry, name);
  return file === undefined ? undefined : readFile(resolve(folder, file), 'utf8');
}

function entries(root: Entry, list: string, member: string): Map<string, Entry> {
  const given = root[list] ?? [];
  if (!Array.isArray(given)) throw new Error(`${list} must be a list`);
  return new Map(given.map((item: unknown) => [String(record(item, list)['name']), record((item as Entry)[member] ?? {}, member)]));
}

function chosen(all: Map<string, Entry>, name: unknown, what: string): Entry | undefined {
  if (typeof name === 'string' && name !== '') return named(all, name, what);
  if (all.size > 1) throw new Error(`it contains several ${what}s and no current context`);
  return [...all.values()][0];
}

function named(all: Map<string, Entry>, name: string, what: string): Entry {
  const found = all.get(name);
  if (!found) throw new Error(`there is no ${what} ${JSON.stringify(name)}`);
  return found;
}

function record(value: unknown, what: string): Entry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`);
  return value as Entry;
}

function text(entry: Entry, name: string): string | undefined {
  const value = entry[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`${name} must be a string`);
  return value;
}
