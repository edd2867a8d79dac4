import {join, resolve} from 'node:path';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {newestRelease, oldestRelease, resolveRelease} from '../options/resolve-release.js';
import {quoted, usualFolder, writeAssets} from './envtest/assets.js';
import {parseFlags} from './parse-flags.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const flagTable: readonly FlagDefinition[] = [
  {
    name: 'release',
    type: 'string',
    value: '1.NN',
    description: `Release of Kubernetes that the servers speak, ${oldestRelease} to ${newestRelease} (default); suites can choose another with --release.`,
  },
];

export function help(): string {
  return [
    'Usage: orch envtest [DIR] [--release 1.NN]',
    '       orch envtest path',
    '',
    'Writes kube-apiserver, etcd and kubectl to DIR, for test suites that start a control plane of their own (envtest of',
    "controller-runtime and its copies), and prints the line that sets KUBEBUILDER_ASSETS. Without DIR the user's data folder is",
    'taken, with a folder in it for each --release. kube-apiserver is Orch with the flags of kube-apiserver; etcd holds its data; kubectl is a link to the one of the machine.',
    '',
    'The etcd URL that a kube-apiserver is given is its identity: with the same URL it finds the same data while that etcd runs.',
    '',
    'Environment of kube-apiserver:',
    '  ORCH_ENVTEST_CONTROLLERS  * for those of kube-controller-manager too, or names as in --controllers of orch serve',
    '  ORCH_ENVTEST_NODES        a whole cluster with so many simulated nodes, as in --nodes of orch serve; all controllers run',
    '  ORCH_ENVTEST_LOG          file to which its log is appended',
    '',
    'Examples:',
    '  eval "$(orch envtest)" && go test ./...',
    '  KUBEBUILDER_ASSETS=$(orch envtest path) go test ./...',
    '  orch envtest /usr/local/kubebuilder/bin',
    '  eval "$(orch envtest --release 1.34)"',
    '',
    'orch envtest use 1.34.x keeps versions side by side where setup-envtest would.',
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals} = parseFlags(args, flagTable);
  if (positionals.length > 1) throw new UsageError('orch envtest takes one folder');
  const release = releaseOf(flags.get('release') as string | undefined);
  const [given] = positionals;
  const folder = given === undefined ? join(usualFolder(), release ?? '') : resolve(terminal.cwd, given);
  const kubectl = await writeAssets(folder, release);
  if (kubectl === undefined) terminal.err.write('orch: there is no kubectl on this machine; suites that use it need it\n');
  terminal.out.write(`export KUBEBUILDER_ASSETS=${quoted(folder)}\n`);
  return 0;
}

function releaseOf(given: string | undefined): string | undefined {
  try {
    return given && resolveRelease(given, 'kubernetes');
  } catch (error) {
    throw new UsageError((error as Error).message, {cause: error});
  }
}
