import {cpSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {ensurePki} from '../../../core/pki/ensure-pki.js';
import {generateKey, issueCertificate} from '../../../core/pki/issue-certificate.js';
import {tempFolder, type Teardown} from '../../../test/helpers/temp-folder.js';
import {crowdSize, type UserCertificate} from '../client/users.js';

/** Certificates of the servers that are attacked and of all users, made once for all of them. */
export interface Authority {
  readonly ca: string;
  readonly users: Readonly<Record<string, UserCertificate>>;
  /** Puts the server's keys into its data directory. */
  equip(dataDir: string): void;
}

export async function makeAuthority(t: Teardown): Promise<Authority> {
  const folder = tempFolder(t, 'orch-attack-pki-');
  const pki = await ensurePki(folder, {bindAddress: '127.0.0.1', platform: 'orch'});
  const issuer = {certificate: pki.caCertificate, key: await readFile(pki.caKeyFile, 'utf8')};
  const user = async (commonName: string, organizations: readonly string[] = []): Promise<UserCertificate> => {
    const key = await generateKey();
    const notAfter = Date.now() + 24 * 3_600_000;
    return {key, cert: await issueCertificate({subject: {commonName, organizations}, key, notAfter, usage: 'client', issuer})};
  };
  const users: Record<string, UserCertificate> = {masters: {cert: pki.adminCertificate, key: pki.adminKey}};
  users['tenant'] = await user('tenant');
  users['builder'] = await user('builder');
  for (let number = 0; number < crowdSize; number++) users[`crowd-${number}`] = await user(`crowd-${number}`, ['crowd']);
  return {ca: pki.caCertificate, users, equip: (dataDir) => cpSync(folder, join(dataDir, 'pki'), {recursive: true})};
}
