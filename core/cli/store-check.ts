import {shownText, shownWord} from '../../sdk/values/shown-text.js';
import {recordsOf} from '../store-tools/store-records.js';
import {helpText} from './flag-help.js';
import {storeFlagHelp, storeOf} from './store-arguments.js';
import type {Terminal} from './terminal.js';

/** Records are damaged. */
const damaged = 2;
const progressEvery = 100_000;

export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  return helpText(
    'orch store check [FLAGS]',
    [
      'Reads all records and names those that are damaged, which servers leave out: bring them back from a backup, or remove them with',
      '"orch store drop-record". Changes no record. Servers may be using the store, except the embedded one. Of encrypted records only the',
      'bytes are checked, as far as the store can. Exit code 2 means that records are damaged, 1 that the store cannot be read.',
    ],
    await storeFlagHelp(args, terminal),
    'orch store check --store redis://127.0.0.1:6379/0',
    'orch store check --data-dir /var/lib/orch',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {tools} = await storeOf('check', args, terminal);
  let records = 0;
  let faults = 0;
  await tools.use(async (store) => {
    for await (const {type, key, revision, damage} of recordsOf(store)) {
      if (++records % progressEvery === 0) terminal.err.write(`${records} records read\n`);
      if (damage === undefined) continue;
      faults += 1;
      terminal.out.write(`damaged: --type ${shownWord(type)} --key ${shownWord(key)}, revision ${revision}: ${shownText(damage)}\n`);
    }
  });
  terminal.out.write(`${records} records, ${faults} damaged\n`);
  return faults > 0 ? damaged : 0;
}
