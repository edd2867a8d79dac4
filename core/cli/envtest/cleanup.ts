import {flagHelp, helpText} from '../flag-help.js';
import type {Terminal} from '../terminal.js';
import {platform} from './asset-versions.js';
import {listFlags, readVersionArguments, selectorHelp} from './version-flags.js';

export function help(): string {
  return helpText(
    'orch envtest cleanup [VERSION] [FLAGS]',
    [
      'Takes away the assets that orch envtest use has written; of all versions, if none is named. What others put there stays.',
      '',
      ...selectorHelp,
    ],
    flagHelp(listFlags),
    'orch envtest cleanup',
    "orch envtest cleanup '<1.30'",
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {versions, selector} = readVersionArguments(args, listFlags, terminal);
  for (const version of await versions.installed(selector)) {
    await versions.remove(version);
    terminal.out.write(`removed ${version.join('.')} (${platform})\n`);
  }
  return 0;
}
