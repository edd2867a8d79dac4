import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {dump} from 'js-yaml';
import {tempFolder, type Teardown} from '../../helpers/temp-folder.js';
import type {Connection} from '../../../sdk/client/index.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The cluster entry of a server. */
export function clusterOf({server, certificateAuthority}: Connection): Record<string, unknown> {
  return {server, ...(certificateAuthority === undefined ? {} : {'certificate-authority-data': base64(certificateAuthority)})};
}

/** Writes a configuration file with one cluster, user and context in a folder of its own; answers its path. */
export function kubeconfigFile(t: Teardown, cluster: object, user: object, context: object = {}): string {
  const path = join(tempFolder(t, 'orch-client-'), 'config');
  writeFileSync(
    path,
    dump({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{name: 'cluster', cluster}],
      users: [{name: 'user', user}],
      contexts: [{name: 'context', context: {cluster: 'cluster', user: 'user', ...context}}],
      'current-context': 'context',
    }),
  );
  return path;
}
