import {runServer} from './run-server.js';
import {serverArguments} from './server-arguments.js';
import type {Terminal} from './terminal.js';

/** What is asked for unless the flags of the command say otherwise. */
const defaults: Readonly<Record<string, string>> = {platform: 'kubernetes', nodes: '3', store: 'memory', 'log-level': 'warn'};

export function help(): string {
  return [
    'Usage: orch cluster [FLAGS OF SERVE]',
    '',
    'Starts a whole cluster in one process: API server, controllers, scheduler and simulated nodes (docs/cluster.md). On a terminal it shows a picture of',
    'the nodes and the pods on them. It is `orch serve --platform kubernetes --cluster --nodes 3 --store memory --log-level warn`, with whatever else is given.',
    '',
    'Marks of nodes: ● ready, ◌ cordoned, ○ not ready. Of pods: ■ ready, □ starting, × failing, · done.',
    '',
    'Examples:',
    '  orch cluster',
    '  orch cluster --nodes 100',
    "  orch cluster --nodes '6:zones=a+b+c 2:name=gpu,example.com/gpu=4' --secure-port 0",
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = await serverArguments([...added(args), ...args], terminal);
  const screen = process.stdout;
  if (!screen.isTTY) return runServer(parsed, terminal);
  const {showCluster} = await import('./cluster/cluster-view.js');
  return runServer(parsed, terminal, {
    whenReady: ({client, url, kubeconfig}) => showCluster(client, screen, `${url}    export KUBECONFIG=${kubeconfig}`),
  });
}

/** The flags that are not given. */
function added(args: readonly string[]): string[] {
  const isGiven = (flag: string) => args.some((argument) => argument === `--${flag}` || argument.startsWith(`--${flag}=`));
  const missing = Object.entries(defaults).filter(([flag]) => !isGiven(flag) && !(flag === 'nodes' && isGiven('nodes-file')));
  return ['--cluster', ...missing.map(([flag, value]) => `--${flag}=${value}`)];
}
