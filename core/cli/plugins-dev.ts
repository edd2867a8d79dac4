import {existsSync, statSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import process from 'node:process';
import {Development} from './dev/development.js';
import {PluginBuild} from './dev/plugin-build.js';
import {WatchedFiles} from './dev/watched-files.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const exitSignals = ['SIGINT', 'SIGTERM'] as const;

export function help(): string {
  return [
    'Usage: orch plugins dev [DIR|MODULE] [FLAGS OF orch serve]',
    '',
    'Runs a server with a plugin and starts it again, in less than a second, whenever a file of the plugin changes. What is stored stays (in .orch of the',
    'plugin, unless --data-dir or --store says otherwise), and so does the port. A plugin with a script "build" in its package.json is built before; TypeScript',
    'that Node.js runs by itself needs none. What does not compile, or does not pass `orch plugins check`, is printed; the version before goes on until it is mended.',
    'The server is strict with plugins (--strict-plugins), unless --no-strict-plugins is given, and has the console (--enable-console) likewise.',
    '',
    'Examples:',
    '  orch plugins dev',
    '  orch plugins dev ./reservations --platform kubernetes --secure-port 7443',
    '  orch plugins dev ./no-latest.ts --store memory --log-level debug',
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const isNamed = args[0] !== undefined && !args[0].startsWith('-');
  const plugin = resolve(terminal.cwd, isNamed ? args[0]! : '.');
  if (!existsSync(plugin)) throw new UsageError(`there is no ${plugin}: orch plugins dev needs the folder or the module of a plugin`);
  const folder = statSync(plugin).isDirectory() ? plugin : dirname(plugin);
  const given = isNamed ? args.slice(1) : args;
  const build = new PluginBuild(folder);
  const flags = ['--plugin', plugin, '--strict-plugins', '--enable-console', '--data-dir', join(folder, '.orch'), ...given];
  const development = new Development({kind: 'begin', plugin, args: flags, cwd: terminal.cwd}, build, terminal);
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  for (const signal of exitSignals) process.once(signal, end);
  const files = new WatchedFiles(folder, build.outputs, () => development.changed());
  try {
    development.changed();
    await ended.promise;
    return 0;
  } finally {
    files.close();
    await development.stop();
    for (const signal of exitSignals) process.off(signal, end);
  }
}
