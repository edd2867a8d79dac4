import type {ConfigSchema} from '../../../sdk/plugin/manifest.js';
import type {FlagDefinition} from '../../options/flags/flag-definition.js';
import {UsageError} from '../usage-error.js';

/** Flags of the commands that change settings. */
export const settingFlags: readonly FlagDefinition[] = [
  {
    name: 'set',
    type: 'list',
    whole: true,
    value: 'NAME=VALUE',
    description: 'A setting of the plugin; values other than texts in JSON. Relative paths start from the folder of the configuration file',
  },
  {name: 'unset', type: 'list', value: 'NAMES', description: 'Settings to take out'},
];

/** Settings overridden by flags. @throws UsageError */
export function withFlags(
  settings: Readonly<Record<string, unknown>>,
  flags: ReadonlyMap<string, unknown>,
  schema: ConfigSchema | undefined,
): Record<string, unknown> {
  const changed = new Map(Object.entries(settings));
  for (const name of (flags.get('unset') as readonly string[] | undefined) ?? []) changed.delete(name);
  for (const text of (flags.get('set') as readonly string[] | undefined) ?? []) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--set takes NAME=VALUE, which ${JSON.stringify(text)} is not`);
    const name = text.slice(0, at);
    const type = Object.hasOwn(schema?.properties ?? {}, name) ? schema!.properties![name]!.type : 'string';
    changed.set(name, valueOf(text.slice(at + 1), type));
  }
  return Object.fromEntries(changed);
}

/** Invalid JSON stays a string, which the check of the settings reports. */
function valueOf(text: string, type: string): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
