import type {Logger} from '../../sdk/contracts/logger.js';
import type {ServerOptions} from '../server/server-options.js';
import {coreFlags} from '../server/flags/server-flags.js';
import {problemText} from '../kernel/kernel-error.js';
import {limitFlags} from '../server/flags/limit-flags.js';
import {LogLevels, parseLevels} from '../logs/log-levels.js';
import {flagHelp} from './flag-help.js';
import {createLogger} from './logging.js';
import type * as KubeApiserver from './kube-apiserver/run.js';
import {allPluginFlags, readPlugins, serverArguments, type ServerArguments} from './server-arguments.js';
import {runUntilStopped, type RunningServer} from './server-lifetime.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

/** Help for the server's flags and those of all plugins, including those that `--plugin` and `--config` name. */
export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  const others = await otherFlags(args);
  if (others) return others.mode.help();
  const {catalogue} = await readPlugins(args, terminal);
  const flags = allPluginFlags(catalogue);
  const sections = catalogue.plugins
    .map((plugin) => ({plugin, own: flags.filter((flag) => flag.plugin === plugin.name)}))
    .filter(({own}) => own.length > 0)
    .map(
      ({plugin, own}) =>
        `Plugin ${plugin.name}${plugin.manifest.enabledByDefault === false ? ' (off by default)' : ''}:\n${flagHelp(own)}\n`,
    );
  return [
    'Usage: orch serve [FLAGS]',
    '       orch serve --flags-of kube-apiserver [FLAGS OF KUBE-APISERVER]',
    '',
    'Starts the API server. When it is ready it prints one line to standard output:',
    '  ready https://HOST:PORT kubeconfig=PATH',
    'SIGTERM and SIGINT let requests under way finish and stop it; a second signal ends it at once.',
    '',
    'Server:',
    flagHelp(coreFlags),
    '',
    'Limits (sizes as 64Ki or 1Mi, durations as 30s or 1m30s):',
    flagHelp(limitFlags),
    '',
    ...sections,
    ...(catalogue.problems.length === 0
      ? []
      : ['Plugins that cannot be used as they are:', ...catalogue.problems.map((fault) => `  ${problemText(fault)}`), '']),
    'Examples:',
    '  orch serve',
    '  orch serve --platform kubernetes --secure-port 0 --data-dir /var/lib/orch',
    '  orch serve --store redis://127.0.0.1:6379/0',
    '  orch serve --plugin ./my-plugin --disable-admission-plugins NamespaceLifecycle',
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const others = await otherFlags(args);
  if (others) return others.mode.run(others.rest, terminal);
  return serve(await serverArguments(args, terminal), terminal);
}

/**
 * Runs a server until a signal ends it, and answers the exit code.
 *
 * @param atStart gets the log before anything else
 */
export async function serve(
  {options, log, positionals}: ServerArguments,
  terminal: Terminal,
  {logFile, atStart}: {readonly logFile?: string | undefined; readonly atStart?: (logger: Logger) => void} = {},
): Promise<number> {
  if (positionals.length > 0) throw new UsageError(`orch serve takes flags only, and ${JSON.stringify(positionals[0])} is none`);
  const unfiltered = await createLogger({format: log.format, isTerminal: terminal.err.isTTY === true, file: logFile});
  const levels = new LogLevels('info');
  levels.set(parseLevels(log.levels));
  const logger = levels.filter(unfiltered);
  atStart?.(logger);
  return runUntilStopped(() => create({...options, logger: unfiltered}), logger, terminal);
}

/** With `--flags-of PROGRAM` in front, the other arguments are that program's. @throws UsageError */
async function otherFlags(args: readonly string[]): Promise<{mode: typeof KubeApiserver; rest: readonly string[]} | undefined> {
  const [first = ''] = args;
  if (first !== '--flags-of' && !first.startsWith('--flags-of=')) {
    if (args.some((argument) => /^--flags-of(?:=|$)/.test(argument))) throw new UsageError('--flags-of must be the first flag');
    return undefined;
  }
  const inline = first !== '--flags-of';
  const program = inline ? first.slice('--flags-of='.length) : args[1];
  if (program !== 'kube-apiserver') throw new UsageError(`--flags-of must be kube-apiserver, not ${JSON.stringify(program ?? '')}`);
  return {mode: await import('./kube-apiserver/run.js'), rest: args.slice(inline ? 1 : 2)};
}

/** The composition root is loaded only when a server is really started. */
async function create(options: ServerOptions): Promise<RunningServer> {
  const {createServer} = await import('../server/create-server.js');
  return createServer(options);
}
