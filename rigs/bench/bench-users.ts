import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import type {OrchProcess} from '../../test/helpers/orch-process.js';
import {HttpConnection, requestText} from './http-connection.js';
import type {Target} from './work.js';

/** The group of the users, who may do everything but are no administrators: their requests are limited. */
const group = 'bench-users';

/** The administrator of a server. */
export function adminTarget({url, ca, cert, key}: OrchProcess): Target {
  return {url, ca, cert, key};
}

/** Allows everything to the users. */
export async function permitUsers(server: OrchProcess): Promise<void> {
  const connection = await HttpConnection.open(adminTarget(server));
  const api = 'rbac.authorization.orch';
  const binding = {
    apiVersion: `${api}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: {name: group},
    roleRef: {apiGroup: api, kind: 'ClusterRole', name: 'cluster-admin'},
    subjects: [{kind: 'Group', apiGroup: api, name: group}],
  };
  const response = await connection.send(
    requestText('POST', `/apis/${api}/v1/clusterrolebindings`, connection.host, JSON.stringify(binding)),
    true,
  );
  connection.close();
  if (response.status !== 201) throw new Error(`allowing the users: status ${response.status} ${response.body.toString('utf8')}`);
}

/** A user of that group with a certificate. */
export async function userTarget(server: OrchProcess, user: string): Promise<Target> {
  const key = await generateKey();
  const cert = await issueCertificate({
    subject: {commonName: user, organizations: [group]},
    key,
    notAfter: Date.now() + 3_600_000,
    usage: 'client',
    issuer: {certificate: server.ca, key: readFileSync(join(server.dataDir, 'pki', 'ca.key'), 'utf8')},
  });
  return {...adminTarget(server), cert, key};
}
