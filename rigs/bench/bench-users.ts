import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import type {OrchProcess} from '../../test/helpers/orch-process.js';
import {eventually} from '../../test/helpers/eventually.js';
import {HttpConnection, requestText} from './http-connection.js';
import type {Target} from './work.js';

/** The group of the users, who may do everything but are no administrators: their requests are limited. */
const group = 'bench-users';

/** The administrator of a server. */
export function adminTarget({url, ca, cert, key}: OrchProcess): Target {
  return {url, ca, cert, key};
}

/** What ends the names of a server's own API groups. */
export type ApiDomain = 'orch' | 'k8s.io';

/** Allows everything to the users. @param admin an administrator of the server */
export async function permitUsers(admin: Target, domain: ApiDomain = 'orch'): Promise<void> {
  const api = `rbac.authorization.${domain}`;
  const binding = {
    apiVersion: `${api}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: {name: group},
    roleRef: {apiGroup: api, kind: 'ClusterRole', name: 'cluster-admin'},
    subjects: [{kind: 'Group', apiGroup: api, name: group}],
  };
  await makeObject(admin, `/apis/${api}/v1/clusterrolebindings`, binding);
}

/** Makes one object. @throws Error with the answer that is no success */
export async function makeObject(target: Target, collection: string, object: object): Promise<void> {
  const connection = await HttpConnection.open(target);
  const response = await connection.send(requestText('POST', collection, connection.host, JSON.stringify(object)), true);
  connection.close();
  if (response.status !== 201) throw new Error(`POST ${collection}: status ${response.status} ${response.body.toString('utf8')}`);
}

/** A user of that group with a certificate. */
export function userTarget(server: OrchProcess, user: string): Promise<Target> {
  return certifiedTarget(adminTarget(server), authorityKey(server), user);
}

/** PEM, of the authority that a server has made. */
export function authorityKey({dataDir}: OrchProcess): string {
  return readFileSync(join(dataDir, 'pki', 'ca.key'), 'utf8');
}

/** The only user of a server, who is allowed everything by the time this resolves. @param caKey PEM, of the authority whose certificate `admin` has */
export async function onlyUser(admin: Target, caKey: string, domain: ApiDomain): Promise<Target> {
  await permitUsers(admin, domain);
  const user = await certifiedTarget(admin, caKey, 'limited');
  // kube-apiserver's authorizer follows what is stored.
  await eventually(
    async () => {
      const connection = await HttpConnection.open(user);
      const {status} = await connection.send(requestText('GET', '/api/v1/namespaces', connection.host));
      connection.close();
      return status;
    },
    (status) => status === 200,
  );
  return user;
}

async function certifiedTarget(admin: Target, caKey: string, user: string): Promise<Target> {
  const key = await generateKey();
  const cert = await issueCertificate({
    subject: {commonName: user, organizations: [group]},
    key,
    notAfter: Date.now() + 3_600_000,
    usage: 'client',
    issuer: {certificate: admin.ca, key: caKey},
  });
  return {...admin, cert, key};
}
