import {randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {tempFolder, type Teardown} from '../../test/helpers/temp-folder.js';
import type {ApiDomain} from './bench-users.js';

/** The flag of a server that encrypts Secrets with a key of its own, by AES-GCM, which both kinds of server know. */
export function encryptionFlag(t: Teardown, domain: ApiDomain): string {
  const file = join(tempFolder(t), 'encryption.json');
  const key = {name: 'bench', secret: randomBytes(32).toString('base64')};
  const configuration = {
    apiVersion: `apiserver.config.${domain}/v1`,
    kind: 'EncryptionConfiguration',
    resources: [{resources: ['secrets'], providers: [{aesgcm: {keys: [key]}}]}],
  };
  writeFileSync(file, JSON.stringify(configuration), {mode: 0o600});
  return `--encryption-provider-config=${file}`;
}
