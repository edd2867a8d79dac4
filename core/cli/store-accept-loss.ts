import {shownText} from '../../sdk/values/shown-text.js';
import {helpText} from './flag-help.js';
import {storeFlagHelp, storeOf} from './store-arguments.js';
import type {Terminal} from './terminal.js';

export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  return helpText(
    'orch store accept-loss [FLAGS]',
    [
      'Servers refuse a store in which data is missing, because controllers would tear down whatever belonged to the lost objects. If the',
      'data cannot be brought back, this command accepts the loss: what is left begins a new epoch above all revisions ever given out,',
      'watches end with 410, and running servers go on by themselves. Shards in which nothing is missing are left alone. Give it the',
      'data directory of a server: that tells how far the store had come.',
    ],
    await storeFlagHelp(args, terminal),
    'orch store accept-loss --store redis://127.0.0.1:6379/0 --data-dir /var/lib/orch',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {tools} = await storeOf('accept-loss', args, terminal);
  const lost = (await tools.acceptLoss()).filter(({missing}) => missing !== undefined);
  for (const {shard, missing} of lost) terminal.out.write(`shard ${shard}: loss accepted (${shownText(missing ?? '')})\n`);
  if (lost.length === 0) terminal.out.write('nothing is missing, and nothing was changed\n');
  return 0;
}
