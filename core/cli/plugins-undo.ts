import {basename} from 'node:path';
import {KernelError} from '../kernel/kernel-error.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {flagHelp, helpText} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import {PendingChange, textOf} from './plugin-configuration/pending-change.js';
import {hashOf} from './plugin-configuration/saved-state.js';
import {assertCanAsk, configFile, configFlag, yesFlag} from './plugins-add.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const ownFlags: readonly FlagDefinition[] = [configFlag, yesFlag];

export function help(): string {
  return helpText(
    'orch plugins undo [FLAGS]',
    [
      'Goes back to the configuration file, the packages beside it and their package.json as they were before the last `orch plugins add`, `upgrade`, `remove` or',
      '`undo`: called twice, it changes nothing. Refused if the file has been changed since by something else, and if a server would not start.',
    ],
    flagHelp(ownFlags),
    'orch plugins undo',
    'orch plugins undo --config /etc/orch/orch.yaml --yes',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals} = parseFlags(args, ownFlags);
  if (positionals.length > 0) throw new UsageError('orch plugins undo takes flags only');
  assertCanAsk(flags, terminal);
  return PendingChange.run(configFile(flags, terminal), 'plugins undo', terminal, async (pending) => {
    const {head} = pending.last;
    if (head?.config !== basename(pending.file))
      throw new UsageError(`there is nothing to undo: ${pending.file} was changed by no orch plugins command`);
    if (head.after !== hashOf(pending.file))
      throw new UsageError(`${pending.file} has been changed since ${head.change}, which would be lost: undo that change first`);
    if (!(await pending.isAgreedTo(`Undo orch ${head.change}?`, flags))) return false;
    await pending.restore(pending.last);
    KernelError.throwIfAny(await pending.newProblems(textOf(pending.file)));
    pending.commit(undefined);
    terminal.out.write(`undid orch ${head.change} in ${pending.file}\n`);
    return true;
  });
}
