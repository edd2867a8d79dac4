import {flagHelp, helpText} from '../flag-help.js';
import type {Terminal} from '../terminal.js';
import {quoted} from './assets.js';
import {platform} from './asset-versions.js';
import {readVersionArguments, selectorHelp, useFlags} from './version-flags.js';

export function help(): string {
  return helpText(
    'orch envtest use [VERSION] [FLAGS]',
    [
      'Writes the assets of test suites for a version of Kubernetes to a folder of its own, and prints where they are. Takes the place of',
      'setup-envtest use; nothing is downloaded. The server behaves as the release does, whatever the patch.',
      '',
      ...selectorHelp,
    ],
    flagHelp(useFlags),
    'KUBEBUILDER_ASSETS=$(orch envtest use 1.34.x -p path) go test ./...',
    'eval "$(orch envtest use 1.30 -p env)"',
    'orch envtest use 1.34.1 --bin-dir bin -p path',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, versions, selector} = readVersionArguments(args, useFlags, terminal);
  const {version, kubectl} = await versions.use(selector, flags.get('installed-only') === true);
  if (!kubectl) terminal.err.write('orch: there is no kubectl on this machine; suites that use it need it\n');
  const folder = versions.folderOf(version);
  switch (flags.get('print')) {
    case 'path':
      terminal.out.write(folder);
      break;
    case 'env':
      terminal.out.write(`export KUBEBUILDER_ASSETS=${quoted(folder)}\n`);
      break;
    default:
      terminal.out.write(`Version: ${version.join('.')}\nOS/Arch: ${platform}\nPath: ${folder}\n`);
  }
  return 0;
}
