import {coreFlags} from '../options/flags/server-flags.js';
import {problemText} from '../kernel/kernel-error.js';
import {limitFlags} from '../options/flags/limit-flags.js';
import {flagHelp} from './flag-help.js';
import type * as KubeApiserver from './kube-apiserver/run.js';
import {runServer} from './run-server.js';
import {allPluginFlags, readPlugins, serverArguments} from './server-arguments.js';
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
    'With --workers, SIGHUP replaces the processes that answer requests one by one, without losing a request.',
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
  const parsed = await serverArguments(args, terminal);
  if (parsed.workers === 1) return runServer(parsed, terminal);
  const {runWorkers} = await import('./workers/run-workers.js');
  return runWorkers(args, parsed, terminal);
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
