import {resolve} from 'node:path';
import {quoted, usualFolder, writeAssets} from './envtest/assets.js';
import {parseFlags} from './parse-flags.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

export function help(): string {
  return [
    'Usage: orch envtest [DIR]',
    '       orch envtest path',
    '',
    'Writes kube-apiserver, etcd and kubectl to DIR, for test suites that start a control plane of their own (envtest of',
    "controller-runtime and its copies), and prints the line that sets KUBEBUILDER_ASSETS. Without DIR the user's data folder is",
    'taken. kube-apiserver is Orch with the flags of kube-apiserver; etcd holds its data; kubectl is a link to the one of the machine.',
    '',
    'The etcd URL that a kube-apiserver is given is its identity: with the same URL it finds the same data while that etcd runs.',
    '',
    'Environment of kube-apiserver:',
    '  ORCH_ENVTEST_CONTROLLERS  * for those of kube-controller-manager too, or names as in --controllers of orch serve',
    '  ORCH_ENVTEST_LOG          file to which its log is appended',
    '',
    'Examples:',
    '  eval "$(orch envtest)" && go test ./...',
    '  KUBEBUILDER_ASSETS=$(orch envtest path) go test ./...',
    '  orch envtest /usr/local/kubebuilder/bin',
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {positionals} = parseFlags(args, []);
  if (positionals.length > 1) throw new UsageError('orch envtest takes one folder');
  const folder = positionals[0] === undefined ? usualFolder() : resolve(terminal.cwd, positionals[0]);
  const kubectl = await writeAssets(folder);
  if (kubectl === undefined) terminal.err.write('orch: there is no kubectl on this machine; suites that use it need it\n');
  terminal.out.write(`export KUBEBUILDER_ASSETS=${quoted(folder)}\n`);
  return 0;
}
