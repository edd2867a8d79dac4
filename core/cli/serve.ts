import type {ServerOptions} from '../server/server-options.js';
import {coreFlags} from '../server/flags/server-flags.js';
import {problemText} from '../kernel/kernel-error.js';
import {limitFlags} from '../server/flags/limit-flags.js';
import {LogLevels, parseLevels} from '../logs/log-levels.js';
import {flagHelp} from './flag-help.js';
import {createLogger} from './logging.js';
import {allPluginFlags, readPlugins, serverArguments} from './server-arguments.js';
import {runUntilStopped, type RunningServer} from './server-lifetime.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

/** Help for the server's flags and those of all plugins, including those that `--plugin` and `--config` name. */
export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
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
  const {options, log, positionals} = await serverArguments(args, terminal);
  if (positionals.length > 0) throw new UsageError(`orch serve takes flags only, and ${JSON.stringify(positionals[0])} is none`);
  const logger = await createLogger({format: log.format, isTerminal: terminal.err.isTTY === true});
  const levels = new LogLevels('info');
  levels.set(parseLevels(log.levels));
  return runUntilStopped(() => create({...options, logger}), levels.filter(logger), terminal);
}

/** The composition root is loaded only when a server is really started. */
async function create(options: ServerOptions): Promise<RunningServer> {
  const {createServer} = await import('../server/create-server.js');
  return createServer(options);
}
