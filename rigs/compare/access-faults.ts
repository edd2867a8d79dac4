import {execFile} from 'node:child_process';
import {generateKeyPairSync} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {kubernetes} from '../../core/api/naming/kubernetes.js';
import {gatesAtRelease} from '../../core/api/gates/gates-at-release.js';
import {SchemaCatalog} from '../../core/api/object-schema/schema-catalog.js';
import {ServerExpressions} from '../../core/catalog/server-expressions.js';
import {readEntries} from '../../core/http/authorization/authorizer-entries.js';
import {requireValidEntries} from '../../core/http/authorization/entry-faults.js';
import {conditionScope} from '../../plugins/authorizers/webhook/match-conditions.js';
import {webhookFaults} from '../../plugins/authorizers/webhook/webhook-settings.js';
import {readConfiguration} from '../../plugins/authenticators/oidc/read-configuration.js';
import type {FeatureGates, JsonValue} from '../../sdk/index.js';
import {tempFolder, type Teardown} from '../../test/helpers/temp-folder.js';
import type {AccessConfiguration} from './access-configurations.js';

/** Types that only a distribution has from which the real server was built. */
const foreignTypes = /"(?:MinimumKubeletVersion|Scope|SystemMasters)"(?:, )?/g;

/** What a kube-apiserver says when it is started with a configuration that it cannot use; undefined if it went further. */
export function realFault(t: Teardown, kubeApiserver: string): (configuration: AccessConfiguration) => Promise<string | undefined> {
  const folder = tempFolder(t);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const {publicKey, privateKey} = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: {type: 'spki', format: 'pem'},
    privateKeyEncoding: {type: 'pkcs8', format: 'pem'},
  });
  const flags = [
    // Nobody listens there: a server that gets so far waits until it is ended.
    '--etcd-servers=http://127.0.0.1:1',
    '--bind-address=127.0.0.1',
    `--cert-dir=${join(folder, 'certificates')}`,
    '--service-cluster-ip-range=10.96.0.0/12',
    '--service-account-issuer=https://127.0.0.1',
    `--service-account-key-file=${file('accounts.pub', publicKey)}`,
    `--service-account-signing-key-file=${file('accounts.key', privateKey)}`,
  ];
  return ({flag, content}) =>
    new Promise((resolve) => {
      const own = [
        `--${flag}=${file('configuration.json', JSON.stringify(content))}`,
        ...(flag === 'authorization-config' ? [] : ['--authorization-mode=RBAC']),
      ];
      execFile(kubeApiserver, [...flags, ...own], {timeout: 20_000, maxBuffer: 16 * 1024 * 1024}, (_error, _stdout, stderr) => {
        const quoted = /"command failed" err=("(?:[^"\\]|\\.)*")/.exec(stderr)?.[1];
        // Texts of several lines are indented instead.
        const lines = /"command failed" err=<\n([^]*?)\n >/.exec(stderr)?.[1]?.replaceAll(/^\t/gm, '');
        const found = quoted === undefined ? lines : unquoted(quoted);
        resolve(found === undefined ? undefined : stable(found));
      });
    });
}

/** What a server of this project says instead. */
export async function ownFault({flag, content}: AccessConfiguration, release: string): Promise<string | undefined> {
  const known = gatesAtRelease(release);
  const gates = {enabled: (gate: string) => known.get(gate)?.enabled ?? false} as FeatureGates;
  const expressions = new ServerExpressions(new SchemaCatalog(undefined, release));
  try {
    if (flag === 'authentication-config') {
      await readConfiguration(content as JsonValue, {
        naming: kubernetes,
        expressions,
        gates,
        release,
        accountIssuers: [],
        keyRefreshMillis: 1000,
      });
    } else {
      const scope = await conditionScope(expressions, gates);
      const factory = {
        faults: async (...[settings, path]: Parameters<typeof webhookFaults> extends [infer S, infer P, ...unknown[]] ? [S, P] : never) =>
          webhookFaults(settings, path, scope),
        make: () => Promise.reject(new Error('nothing is made')),
      };
      const types = new Set(['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook']);
      await requireValidEntries(await readEntries(JSON.stringify(content), kubernetes, release), {
        types,
        requiredTypes: new Set(),
        factory,
      });
    }
    return undefined;
  } catch (error) {
    return stable((error as Error).message);
  }
}

/** Without what names a place in the code, the file, or an expression's faults in full: those are compared elsewhere. */
function stable(text: string): string {
  return text
    .replace(/^failed to load authentication configuration from file "[^"]*": /, '')
    .replaceAll(/ in scheme "[^"]*"/g, '')
    .replaceAll(/(Object '\w+' is missing) in '[^']*'/g, '$1')
    .replaceAll(foreignTypes, '')
    .replaceAll(/, (?=$|[,\]])/g, '')
    .replaceAll(/compilation failed: [^]*?(?=, (?:jwt|authorizers)\[|\]$|$)/g, 'compilation failed');
}

function unquoted(text: string): string {
  return JSON.parse(text.replaceAll(/\\x([0-9a-f]{2})/g, '\\u00$1')) as string;
}
