import {mkdtempSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {startTestServer} from '@orch-api/orch/testing';
import {httpsClient} from '../../../test/helpers/https-client.js';
import {readKubeconfig} from '../../../test/helpers/kubeconfig.js';
import {tempFolder, type Teardown} from '../../../test/helpers/temp-folder.js';
import {asAdministrator, startRealServer, type Binaries} from '../real-server.js';
import {AuditFile} from './audit-file.js';
import type {CaseServer} from './run-cases.js';

const policy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    {level: 'Metadata', resources: [{group: '', resources: ['configmaps', 'pods', 'pods/exec', 'pods/portforward']}]},
    {level: 'None'},
  ],
};

function auditFiles(t: Teardown): {readonly policy: string; readonly log: string} {
  const folder = mkdtempSync(join(tempFolder(t), 'audit-'));
  const file = join(folder, 'policy.json');
  writeFileSync(file, JSON.stringify(policy));
  return {policy: file, log: join(folder, 'audit.log')};
}

/** A server of this project, with roles and an audit log. */
export async function ownCaseServer(t: Teardown, release: string): Promise<CaseServer> {
  const audit = auditFiles(t);
  const server = await startTestServer({
    platform: 'kubernetes',
    release,
    controllers: ['flow-control'],
    strictPlugins: false,
    enableTestingApi: false,
    authorizationMode: ['RBAC'],
    disableAdmissionPlugins: ['ServiceAccount'],
    auditPolicyFile: audit.policy,
    flags: {'allow-privileged': false, 'audit-log-path': audit.log},
  });
  t.teardown(() => server.stop());
  const log = new AuditFile(audit.log);
  return {client: httpsClient(t, readKubeconfig(server.kubeconfig)), headers: {}, annotationsOf: (id) => log.annotationsOf(id)};
}

/** A kube-apiserver, likewise. */
export async function realCaseServer(t: Teardown, binaries: Binaries): Promise<CaseServer> {
  const audit = auditFiles(t);
  const client = await startRealServer(t, binaries, {
    'authorization-mode': 'RBAC',
    'audit-policy-file': audit.policy,
    'audit-log-path': audit.log,
  });
  const log = new AuditFile(audit.log);
  return {client, headers: asAdministrator, annotationsOf: (id) => log.annotationsOf(id)};
}
