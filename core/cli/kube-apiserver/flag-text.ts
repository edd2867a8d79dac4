import {kubeApiserverFlags, type KubeApiserverFlag} from './flag-table.js';
import {gitVersionOf, newestRelease, oldestRelease} from '../../options/resolve-release.js';
import {KERNEL_VERSION} from '../../kernel/kernel-version.js';

/** What `kube-apiserver --version` prints: the version that `/version` answers. */
export function versionText(release: string): string {
  return `Kubernetes ${gitVersionOf(release, KERNEL_VERSION)}\n`;
}

/** Help in kube-apiserver's form, which tools search for the flags: each on a line of its own that begins with blanks. */
export function helpText(): string {
  const heads = kubeApiserverFlags.map(headOf);
  const width = Math.max(...heads.map((head) => head.length)) + 3;
  return [
    'The API server of Orch, with the flags of kube-apiserver 1.26 to 1.33. It serves the types of Kubernetes ' +
      `${newestRelease}, or with --release those of another from ${oldestRelease} on.`,
    '',
    'Usage:',
    '  kube-apiserver [flags]',
    '',
    'Flags:',
    '',
    ...kubeApiserverFlags.map((flag, index) => `${heads[index]!.padEnd(width)}${textOf(flag)}`),
    '',
    'Environment:',
    '',
    '  ORCH_ENVTEST_CONTROLLERS   * for those of kube-controller-manager too, or names as in --controllers of orch serve',
    '  ORCH_ENVTEST_NODES         a whole cluster with so many simulated nodes, as in --nodes of orch serve; all controllers run',
    '  ORCH_ENVTEST_LOG           file to which the log is appended, instead of standard error',
    '',
  ].join('\n');
}

function headOf({name, type}: KubeApiserverFlag): string {
  if (name === 'v') return '  -v, --v Level';
  return `      --${name}${type === 'bool' ? '' : ` ${type === 'version' ? 'version[=true]' : type}`}`;
}

function textOf({support, text, default: preset}: KubeApiserverFlag): string {
  if (support === 'without effect') return `Accepted without effect: ${text}.`;
  if (support === 'refused') return `Refused: ${text}.`;
  return preset === undefined ? text : `${text} (default ${preset})`;
}
