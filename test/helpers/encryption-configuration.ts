import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {tempFolder, type Teardown} from './temp-folder.js';

/** A key as the configuration has it; the bytes follow from the name, so that the same name is the same key everywhere. */
export const keyOf = (name: string, letter = name) => ({name, secret: Buffer.alloc(32, letter).toString('base64')});

export type Provider = Readonly<Record<string, unknown>>;

/** A provider with keys; the first one writes. */
export const provider = (cipher: 'aescbc' | 'aesgcm' | 'secretbox', ...names: string[]): Provider => ({
  [cipher]: {keys: names.map((name) => keyOf(name))},
});

export const plainText: Provider = {identity: {}};

/** An encryption configuration file of a test's own, for servers with the names of Kubernetes. */
export class EncryptionConfigurationFile {
  readonly path: string;

  constructor(t: Teardown, resources: readonly string[], ...providers: Provider[]) {
    this.path = join(tempFolder(t), 'encryption.yaml');
    this.write(resources, ...providers);
  }

  write(resources: readonly string[], ...providers: Provider[]): void {
    this.writeText(
      JSON.stringify({apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources: [{resources, providers}]}),
    );
  }

  writeText(text: string): void {
    writeFileSync(this.path, text, {mode: 0o600});
  }
}
