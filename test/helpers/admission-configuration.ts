import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {tempFolder, type Teardown} from './temp-folder.js';

/**
 * A file for `admissionControlConfigFile` with the configuration of one admission controller.
 *
 * @param platform the naming profile of the server
 */
export function admissionConfiguration(t: Teardown, name: string, configuration: object, platform: 'orch' | 'kubernetes' = 'orch'): string {
  const file = join(tempFolder(t), 'admission.json');
  const group = platform === 'kubernetes' ? 'apiserver.config.k8s.io' : 'apiserver.config.orch';
  const head = {apiVersion: `${group}/v1`, kind: 'AdmissionConfiguration'};
  writeFileSync(file, JSON.stringify({...head, plugins: [{name, configuration}]}));
  return file;
}
