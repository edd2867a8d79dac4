import type {Connection, Credentials, CredentialSource, Impersonation} from '../connection.js';
import {ExecCredentials} from './exec/exec-credentials.js';
import {execPlugin} from './exec/exec-plugin.js';
import {fileOrData, pathBeside} from './file-or-data.js';
import type {ClusterEntry, Placed, UserEntry} from './kubeconfig.js';
import {OidcCredentials} from './oidc/oidc-credentials.js';
import {TokenFile} from './token-file.js';
import type {UserOptions} from './user-options.js';

/** Credentials and impersonation of a user in a configuration file. @throws Error for missing, contradictory or unsupported settings */
export async function userConnection(
  user: Placed<UserEntry>,
  cluster: Placed<ClusterEntry>,
  options: UserOptions,
): Promise<Pick<Connection, 'credentials' | 'impersonate'>> {
  const {entry} = user;
  const impersonate = impersonation(user);
  return {credentials: await credentialsOf(user, cluster, options), ...(entry.as ? {impersonate} : {})};
}

/** Inline credentials take precedence over those that must be fetched. */
async function credentialsOf(
  user: Placed<UserEntry>,
  cluster: Placed<ClusterEntry>,
  options: UserOptions,
): Promise<Credentials | CredentialSource> {
  const {name, entry, file} = user;
  const where = `${file}, user ${name}`;
  const {token, tokenFile, username, password, exec} = entry;
  const provider = entry['auth-provider'];
  if ((token || tokenFile) && (username || password)) throw new Error(`${where}: a token cannot be combined with a password`);
  if (exec && provider) throw new Error(`${where}: exec cannot be combined with auth-provider`);
  const certificate = await clientCertificate(user, where);
  if (tokenFile) return new TokenFile(pathBeside(file, tokenFile), certificate);
  if (token) return {...certificate, token};
  if (username || password) return {...certificate, basic: {username: username ?? '', password: password ?? ''}};
  if (exec) return new ExecCredentials(await execPlugin(exec, {where, file, cluster, ...options}), certificate);
  if (provider) return new OidcCredentials(provider, {where, file, user: name}, certificate);
  return certificate;
}

async function clientCertificate({entry, file}: Placed<UserEntry>, where: string): Promise<Credentials> {
  const certificate = await fileOrData(entry, 'client-certificate', file, where);
  const key = await fileOrData(entry, 'client-key', file, where);
  if (certificate === undefined && key === undefined) return {};
  if (certificate === undefined || key === undefined) throw new Error(`${where}: client-certificate and client-key must be given together`);
  return {certificate, key};
}

function impersonation({name, entry, file}: Placed<UserEntry>): Impersonation {
  const {as: user, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra} = entry;
  if (!user && (uid || groups || extra)) throw new Error(`${file}, user ${name}: as-uid, as-groups and as-user-extra require as`);
  return {user: user ?? '', ...(uid ? {uid} : {}), ...(groups ? {groups} : {}), ...(extra ? {extra} : {})};
}
