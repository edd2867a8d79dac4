import {resolve} from 'node:path';
import {nearestName} from '../../kernel/nearest-name.js';
import {UsageError} from '../usage-error.js';
import {kubeApiserverFlags, type KubeApiserverFlag} from './flag-table.js';

/** A command line of kube-apiserver, as Orch understands it. */
export interface KubeApiserverArguments {
  /** The same for `orch serve`. */
  readonly args: readonly string[];
  /** Names of the flags that were accepted without effect, each with the reason. */
  readonly withoutEffect: ReadonlyMap<string, string>;
  readonly etcdServers: readonly string[];
  readonly etcdPrefix: string;
  /** The release to serve, if one is named. */
  readonly release: string | undefined;
  readonly showVersion: boolean;
}

const byName = new Map(kubeApiserverFlags.map((flag) => [flag.name, flag]));
/** Older names, which kube-apiserver takes and neither its help nor its reference page mentions. */
const olderNames: Readonly<Record<string, string>> = {'audit-webhook-batch-initial-backoff': 'audit-webhook-initial-backoff'};
/** Files of plugins' settings are relative to the data folder in Orch, and to the working directory here. */
const path = /-file$|^audit-log-path$|^kubelet-(?:certificate-authority|client-certificate|client-key)$/;

/**
 * Reads a command line as kube-apiserver does: values after `=` or in the next argument, those of booleans after `=` only, `_` for `-` in names.
 *
 * @throws UsageError for flags that are unknown, lack a value or are refused
 */
export function readKubeApiserverFlags(args: readonly string[], cwd: string): KubeApiserverArguments {
  const translated: string[] = [];
  const withoutEffect = new Map<string, string>();
  const values = new Map<string, string>();
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    const {flag, inline} = flagOf(argument);
    const value = inline ?? (flag.type === 'bool' || flag.type === 'version' ? 'true' : args[++index]);
    if (value === undefined) throw new UsageError(`flag needs an argument: --${flag.name}`);
    switch (flag.support) {
      case 'same':
        translated.push(`--${flag.name}=${path.test(flag.name) && value !== '' && value !== '-' ? resolve(cwd, value) : value}`);
        break;
      case 'translated':
        values.set(flag.name, value);
        break;
      case 'without effect':
        withoutEffect.set(flag.name, flag.text);
        break;
      case 'refused':
        throw new UsageError(`--${flag.name} is refused: ${flag.text}`);
    }
  }
  const release = emulatedRelease(values.get('emulated-version')) ?? values.get('release');
  return {
    args: [...translated, ...(release === undefined ? [] : [`--release=${release}`]), ...logArguments(values)],
    withoutEffect,
    etcdServers: (values.get('etcd-servers') ?? '').split(',').filter((url) => url !== ''),
    etcdPrefix: values.get('etcd-prefix') ?? '/registry',
    release,
    showVersion: values.get('version') !== undefined && values.get('version') !== 'false',
  };
}

/** The release in `1.34`, or in the item `kube=1.34` of a list of components: only that one is served here. */
function emulatedRelease(text: string | undefined): string | undefined {
  const items = (text ?? '').split(',').map((item) => item.trim());
  return items.map((item) => (item.includes('=') ? /^kube=(.*)$/.exec(item)?.[1] : item)).find((release) => release);
}

function flagOf(argument: string): {flag: KubeApiserverFlag; inline: string | undefined} {
  const verbosity = /^-v=?(\d+)$/.exec(argument);
  if (verbosity) return {flag: byName.get('v')!, inline: verbosity[1]};
  if (argument === '-v') return {flag: byName.get('v')!, inline: undefined};
  if (!argument.startsWith('--') || argument === '--') {
    throw new UsageError(`kube-apiserver takes flags only, and ${JSON.stringify(argument)} is none`);
  }
  const at = argument.indexOf('=');
  const name = (at < 0 ? argument.slice(2) : argument.slice(2, at)).replaceAll('_', '-');
  const flag = byName.get(Object.hasOwn(olderNames, name) ? olderNames[name]! : name);
  if (flag === undefined) {
    const meant = nearestName(name, byName.keys());
    throw new UsageError(`unknown flag: --${name}${meant === undefined ? '' : `; did you mean --${meant}?`}`);
  }
  return {flag, inline: at < 0 ? undefined : argument.slice(at + 1)};
}

function logArguments(values: ReadonlyMap<string, string>): string[] {
  const format = values.get('logging-format');
  if (format !== undefined && format !== 'text' && format !== 'json') {
    throw new UsageError(`--logging-format must be text or json, not ${JSON.stringify(format)}`);
  }
  const verbosity = values.get('v') ?? '0';
  if (!/^\d{1,9}$/.test(verbosity)) throw new UsageError(`--v must be a whole number, not ${JSON.stringify(verbosity)}`);
  const level = Number(verbosity) >= 6 ? 'trace' : Number(verbosity) >= 4 ? 'debug' : undefined;
  return [`--log-format=${format ?? 'text'}`, ...(level === undefined ? [] : [`--log-level=${level}`])];
}
