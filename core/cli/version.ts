import {KERNEL_VERSION} from '../kernel/kernel-version.js';
import {defaultReleaseText, newestRelease, oldestRelease} from '../options/resolve-release.js';
import {parseFlags} from './parse-flags.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

export function help(): string {
  return [
    'Usage: orch version',
    '',
    'Prints the version of the server and of Node.js, and the releases of Kubernetes whose types it serves.',
    '',
    'Example:',
    '  orch version',
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {positionals} = parseFlags(
    args.filter((argument) => argument !== '--version'),
    [],
  );
  if (positionals.length > 0) throw new UsageError('orch version takes no arguments');
  terminal.out.write(
    `orch ${KERNEL_VERSION} (Node.js ${process.versions.node})\ntypes of Kubernetes ${oldestRelease} to ${newestRelease}: by default ${defaultReleaseText}\n`,
  );
  return 0;
}
