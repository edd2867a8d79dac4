import {StoreError, type FilledRecord, type StoreFiller} from '../../sdk/index.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {readBackup, type Backup} from '../store-tools/store-backup.js';
import {errorText} from './error-text.js';
import {helpText} from './flag-help.js';
import {fileOf, storeFlagHelp, storeOf} from './store-arguments.js';
import type {Terminal} from './terminal.js';

const ownFlags: readonly FlagDefinition[] = [
  {name: 'file', type: 'string', value: 'FILE', description: 'File that "orch store backup" has written'},
  {name: 'replace', type: 'boolean', description: 'Replace what the store holds'},
];
/** The store is not empty. */
const occupied = 2;
const progressEvery = 100_000;
const bytesAtOnce = 1024 * 1024;
const recordsAtOnce = 512;

export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  return helpText(
    'orch store restore --file FILE [--replace] [FLAGS]',
    [
      'Fills a store with the records of a file that "orch store backup" has written, whichever kind of store it came from. The file is read to its',
      'end and proven whole before anything is changed. Objects keep their uid and get new resource versions above all that were ever given out:',
      'what clients knew is too old (410), and they list again. Stop the server of an embedded store first. Servers on Redis need not stop: they',
      'answer 503 meanwhile and go on by themselves. If it is broken off, servers refuse the store; run it again.',
      '',
      'A store that holds records is refused with exit code 2, unless --replace says that they may go. With the embedded store the old folder is',
      'kept as store.replaced-TIME in the data directory; records in Redis are gone. Exit code 1 means anything else, such as a damaged file.',
    ],
    await storeFlagHelp(args, terminal, ownFlags),
    'orch store restore --data-dir /var/lib/orch --file /var/backups/orch.backup',
    'orch store restore --store redis://127.0.0.1:6379/0 --file /var/backups/orch.backup --replace',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {tools, extra} = await storeOf('restore', args, terminal, ownFlags);
  const path = fileOf('restore', extra);
  const backup = await readBackup(path);
  let filler: StoreFiller;
  try {
    filler = await tools.restore({replace: extra.get('replace') === true, above: Math.max(0, ...backup.revisions)});
  } catch (error) {
    if (!StoreError.is(error) || error.code !== 'Exists') throw error;
    terminal.err.write(`orch: ${errorText(error)}; nothing was changed (--replace replaces it)\n`);
    return occupied;
  }
  try {
    const records = await fill(filler, backup, (done) => terminal.err.write(`${done} of at most ${backup.lines} records stored\n`));
    await filler.finish();
    terminal.out.write(`${records} records stored\n`);
  } finally {
    await filler.close();
  }
  return 0;
}

/** @returns the number of records */
async function fill(filler: StoreFiller, backup: Backup, progress: (records: number) => void): Promise<number> {
  let done = 0;
  let bytes = 0;
  let waiting: FilledRecord[] = [];
  for await (const record of backup.records()) {
    waiting.push(record);
    bytes += record.value.length;
    if (waiting.length === recordsAtOnce || bytes > bytesAtOnce) {
      await filler.fill(waiting);
      [waiting, bytes] = [[], 0];
    }
    if (++done % progressEvery === 0) progress(done);
  }
  if (waiting.length > 0) await filler.fill(waiting);
  return done;
}
