import {resolve} from 'node:path';
import {KernelError} from '../kernel/kernel-error.js';
import {coreFlags} from '../options/flags/server-flags.js';
import {startProblems} from './checks/start-problems.js';
import {flagHelp, helpText} from './flag-help.js';
import type {Terminal} from './terminal.js';

const fileFlags = coreFlags.filter(({name}) => name === 'config' || name === 'plugin');

export function help(): string {
  return helpText(
    'orch config check [--config FILE] [FLAGS OF orch serve]',
    [
      'Checks whether a server starts with a configuration file and flags: everything that a start checks before it opens the store, and the code of the',
      'plugins that the file names, as `orch plugins check` does. Starts nothing and changes nothing. Prints every problem; exit code 1 if there is one.',
    ],
    flagHelp(fileFlags),
    'orch config check --config orch.yaml',
    'orch config check --config /etc/orch/orch.yaml --store redis://127.0.0.1:6379/0',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const isNamed = args.some((argument) => /^--config(=|$)/.test(argument));
  const all = isNamed ? args : ['--config', resolve(terminal.cwd, 'orch.yaml'), ...args];
  KernelError.throwIfAny(await startProblems(all, terminal.cwd, {plugin: 'all'}));
  terminal.out.write('a server can start with this\n');
  return 0;
}
