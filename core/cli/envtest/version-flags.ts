import {resolve} from 'node:path';
import type {FlagDefinition} from '../../options/flags/flag-definition.js';
import {parseFlags, type ParsedArguments} from '../parse-flags.js';
import type {Terminal} from '../terminal.js';
import {UsageError} from '../usage-error.js';
import {usualFolder} from './assets.js';
import {AssetVersions} from './asset-versions.js';
import {versionSelector, type VersionSelector} from './version-selector.js';

const binDir: FlagDefinition = {
  name: 'bin-dir',
  type: 'string',
  value: 'DIR',
  description: 'Where the versions are kept, each in k8s/VERSION-OS-ARCH below it, as envtest and setup-envtest expect them.',
  default: 'orch/envtest in the data folder of the user',
};

/** Of `orch envtest list` and `cleanup`. */
export const listFlags: readonly FlagDefinition[] = [binDir];

export const installedOnly: FlagDefinition = {
  name: 'installed-only',
  short: 'i',
  type: 'boolean',
  description: 'Only versions that have been written before.',
};

/** Of `orch envtest use`. */
export const useFlags: readonly FlagDefinition[] = [
  binDir,
  installedOnly,
  {
    name: 'print',
    short: 'p',
    type: 'string',
    value: 'FORMAT',
    allowed: ['overview', 'path', 'env'],
    default: 'overview',
    description: 'What is printed: all for a reader, the bare path without an end of line, or the line that sets KUBEBUILDER_ASSETS.',
  },
];

/** How versions are selected, for help. */
export const selectorHelp: readonly string[] = [
  'VERSION is 1.34.2, 1.34 or 1.34.x, ~1.34.2 (1.34 from this patch on), <1.30 or <=1.30, latest (the default), or latest-on-disk.',
];

export interface VersionArguments {
  readonly flags: ParsedArguments['flags'];
  readonly versions: AssetVersions;
  readonly selector: VersionSelector;
}

/** Reads what all commands about versions of assets take. @throws UsageError */
export function readVersionArguments(args: readonly string[], table: readonly FlagDefinition[], {cwd}: Terminal): VersionArguments {
  const {flags, positionals} = parseFlags(args, table);
  if (positionals.length > 1) throw new UsageError('one VERSION at most can be given');
  const folder = flags.get('bin-dir') as string | undefined;
  return {
    flags,
    versions: new AssetVersions(folder === undefined ? usualFolder() : resolve(cwd, folder)),
    selector: versionSelector(positionals[0] ?? ''),
  };
}
