import {flagHelp, helpText} from '../flag-help.js';
import type {Terminal} from '../terminal.js';
import {available, platform} from './asset-versions.js';
import {installedOnly, listFlags, readVersionArguments, selectorHelp} from './version-flags.js';

const flagTable = [...listFlags, installedOnly];

export function help(): string {
  return helpText(
    'orch envtest list [VERSION] [FLAGS]',
    ['Lists the versions whose assets orch envtest use has written, and the releases for which it can write them.', '', ...selectorHelp],
    flagHelp(flagTable),
    'orch envtest list',
    "orch envtest list '<1.30'",
    'orch envtest list -i',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, versions, selector} = readVersionArguments(args, flagTable, terminal);
  const isInstalledOnly = flags.get('installed-only') === true || selector.onDisk;
  const rows = [
    ...(await versions.installed(selector)).map((version) => ['(installed)', version] as const),
    ...(isInstalledOnly ? [] : available(selector).map((version) => ['(available)', version] as const)),
  ];
  for (const [state, version] of rows) terminal.out.write(`${state}  ${`v${version.join('.')}`.padEnd(9)} ${platform}\n`);
  return 0;
}
