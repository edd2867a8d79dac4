import {isAbsolute} from 'node:path';
import {isatty} from 'node:tty';
import {platformNames} from '../../platform.js';
import {fileOrData, pathBeside} from '../file-or-data.js';
import type {ClusterEntry, ExecEntry, Placed} from '../kubeconfig.js';
import type {UserOptions} from '../user-options.js';

/** A validated credential plugin, ready to run. */
export interface ExecPlugin {
  /** Configuration file and user, for messages. */
  readonly where: string;
  /** Absolute path, or a name to look up in `PATH`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly apiVersion: string;
  /** The environment variable for the plugin's input. */
  readonly infoVariable: string;
  readonly installHint: string | undefined;
  /** Whether the plugin gets this process' standard input. */
  readonly interactive: boolean;
  /** Why the plugin must not be run; undefined if it may. */
  readonly refusal: string | undefined;
  /** The cluster as shown to the plugin; undefined unless configured. */
  readonly cluster: ExecCluster | undefined;
}

/** The cluster as a plugin sees it: the fields of a configuration file, with the CA always as data. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority-data'?: string;
  readonly 'disable-compression'?: boolean;
  /** The content of the cluster's extension for plugins. */
  readonly config?: unknown;
}

export interface ExecSurroundings extends UserOptions {
  readonly where: string;
  readonly file: string;
  readonly cluster: Placed<ClusterEntry>;
}

const modes = ['Never', 'IfAvailable', 'Always'] as const;
type InteractiveMode = (typeof modes)[number];

/** Validates the `exec` block of a user. @throws Error that names the field */
export async function execPlugin(entry: ExecEntry, surroundings: ExecSurroundings): Promise<ExecPlugin> {
  const {where, file, environment = process.env, interactive: mayAsk = isatty(0)} = surroundings;
  if (!entry.command) throw new Error(`${where}: exec.command is required`);
  const {apiVersion, group, version} = supportedVersion(entry.apiVersion, surroundings);
  const mode = interactiveMode(entry.interactiveMode, version, where);
  return {
    where,
    command: resolvedCommand(entry.command, file),
    args: entry.args ?? [],
    environment: {...environment, ...Object.fromEntries((entry.env ?? []).map(({name, value}) => [name, value]))},
    apiVersion,
    infoVariable: group.endsWith('.k8s.io') ? 'KUBERNETES_EXEC_INFO' : 'ORCH_EXEC_INFO',
    installHint: entry.installHint || undefined,
    interactive: mode !== 'Never' && mayAsk,
    refusal: mode === 'Always' && !mayAsk ? 'its interactiveMode is Always, but standard input is not available' : undefined,
    cluster: entry.provideClusterInfo === true ? await execCluster(surroundings.cluster) : undefined,
  };
}

function supportedVersion(apiVersion: string | undefined, {where, platform = 'orch'}: ExecSurroundings) {
  if (!apiVersion) throw new Error(`${where}: exec.apiVersion is required`);
  const suffixes = new Set(['orch', 'k8s.io', platformNames(platform).groupSuffix]);
  for (const suffix of suffixes) {
    const group = `client.authentication.${suffix}`;
    for (const version of ['v1', 'v1beta1']) if (apiVersion === `${group}/${version}`) return {apiVersion, group, version};
  }
  throw new Error(
    `${where}: exec.apiVersion ${JSON.stringify(apiVersion)} is not supported: use client.authentication.${platformNames(platform).groupSuffix}/v1 or v1beta1`,
  );
}

function interactiveMode(given: string | undefined, version: string, where: string): InteractiveMode {
  if (!given) {
    if (version === 'v1beta1') return 'IfAvailable';
    throw new Error(`${where}: exec.interactiveMode is required with ${version}: ${modes.join(', ')}`);
  }
  const mode = modes.find((known) => known === given);
  if (!mode) throw new Error(`${where}: exec.interactiveMode ${JSON.stringify(given)} is not one of ${modes.join(', ')}`);
  return mode;
}

/** A bare name is looked up in `PATH`; any other relative path is relative to the configuration file. */
function resolvedCommand(command: string, file: string): string {
  return isAbsolute(command) || !/[/\\]/.test(command) ? command : pathBeside(file, command);
}

async function execCluster({name, entry, file}: Placed<ClusterEntry>): Promise<ExecCluster> {
  const authority = await fileOrData(entry, 'certificate-authority', file, `${file}, cluster ${name}`);
  const extension = entry.extensions?.find((candidate) => /^client\.authentication\..+\/exec$/.test(candidate.name));
  return {
    server: entry.server ?? '',
    ...(entry['tls-server-name'] ? {'tls-server-name': entry['tls-server-name']} : {}),
    ...(entry['insecure-skip-tls-verify'] ? {'insecure-skip-tls-verify': true} : {}),
    ...(authority === undefined ? {} : {'certificate-authority-data': Buffer.from(authority).toString('base64')}),
    ...(entry['disable-compression'] ? {'disable-compression': true} : {}),
    ...(extension ? {config: extension.extension} : {}),
  };
}
