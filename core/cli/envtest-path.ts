import {usualFolder, writeAssets} from './envtest/assets.js';
import {parseFlags} from './parse-flags.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

export function help(): string {
  return [
    'Usage: orch envtest path',
    '',
    "Writes the assets of test suites to the user's data folder, as orch envtest does, and prints nothing but the path of that folder.",
    '',
    'Example:',
    '  KUBEBUILDER_ASSETS=$(orch envtest path) go test ./...',
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {positionals} = parseFlags(args, []);
  if (positionals.length > 0)
    throw new UsageError('orch envtest path takes no arguments; orch envtest DIR writes to a folder of your choice');
  const folder = usualFolder();
  await writeAssets(folder);
  terminal.out.write(`${folder}\n`);
  return 0;
}
