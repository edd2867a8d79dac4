import {appendFile, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {withoutAccountWord} from '../../kernel/selection/select-controllers.js';
import {dataOf} from '../envtest/etcd-client.js';
import {resolveRelease} from '../../options/resolve-release.js';
import {errorText} from '../error-text.js';
import {runServer} from '../run-server.js';
import {serverArguments} from '../server-arguments.js';
import type {Terminal} from '../terminal.js';
import {UsageError} from '../usage-error.js';
import {helpText, versionText} from './flag-text.js';
import {leaveOutUnknown} from './leave-out-unknown.js';
import {readKubeApiserverFlags} from './read-flags.js';

export function help(): string {
  return helpText();
}

/** Runs the server with the flags of kube-apiserver. Its data is that of the etcd it is given, or in memory. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {ORCH_ENVTEST_LOG: log} = process.env;
  const logFile = log ? resolve(terminal.cwd, log) : undefined;
  try {
    return await runUnlogged(args, terminal, logFile);
  } catch (error) {
    // Suites discard standard error unless they are configured to attach it.
    if (logFile !== undefined) await appendFile(logFile, `kube-apiserver: ${errorText(error)}\n`);
    throw error;
  }
}

async function runUnlogged(args: readonly string[], terminal: Terminal, logFile: string | undefined): Promise<number> {
  const given = readKubeApiserverFlags(args, terminal.cwd);
  if (given.showVersion) {
    terminal.out.write(versionText(resolveRelease(given.release, 'kubernetes')));
    return 0;
  }
  if (given.etcdServers.length > 1) throw new UsageError('--etcd-servers must be one URL: there is one etcd, that of orch envtest');
  const [etcd] = given.etcdServers;
  const own = etcd === undefined ? await mkdtemp(join(tmpdir(), 'orch-kube-apiserver-')) : undefined;
  try {
    const data = etcd === undefined ? ['--store=memory', `--data-dir=${own}`] : await etcdArguments(etcd, given.etcdPrefix);
    const {ORCH_ENVTEST_CONTROLLERS: controllers, ORCH_ENVTEST_NODES: nodes} = process.env;
    const parsed = await serverArguments(
      [
        '--platform=kubernetes',
        // As kube-apiserver: the aggregated API server of a suite is on the same machine.
        '--aggregator-proxy-to-loopback=true',
        ...(process.env['ORCH_ENVTEST_TESTING_API'] === 'true' ? ['--enable-testing-api'] : []),
        ...data,
        ...given.args,
        ...(nodes ? ['--cluster', `--nodes=${nodes}`] : []),
        ...(controllers ? [`--controllers=${controllers === 'none' ? '-*' : controllers}`] : []),
      ],
      terminal,
    );
    const known = leaveOutUnknown(parsed.options);
    const withoutEffect = Object.fromEntries([...given.withoutEffect, ...known.withoutEffect].map(([name, why]) => [`--${name}`, why]));
    const options = {...known.options, controllers: known.options.controllers ?? [nodes ? '*' : withoutAccountWord]};
    return await runServer({...parsed, options}, terminal, {
      logFile,
      atStart: (logger) => {
        if (Object.keys(withoutEffect).length > 0)
          logger.warn({flags: withoutEffect}, 'flags of kube-apiserver that are accepted without effect');
      },
    });
  } finally {
    if (own !== undefined) await rm(own, {recursive: true, force: true});
  }
}

async function etcdArguments(url: string, prefix: string): Promise<string[]> {
  const {dataDir, sync} = await dataOf(url);
  return ['--store=embedded', `--data-dir=${join(dataDir, encodeURIComponent(prefix))}`, `--unsafe-no-fsync=${!sync}`];
}
