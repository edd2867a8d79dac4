import type {BackupRecord} from '../../sdk/index.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {BackupWriter} from '../store-tools/store-backup.js';
import {helpText} from './flag-help.js';
import {fileOf, storeFlagHelp, storeOf} from './store-arguments.js';
import type {Terminal} from './terminal.js';

const ownFlags: readonly FlagDefinition[] = [
  {name: 'file', type: 'string', value: 'FILE', description: 'File to write; it must not exist, and only its owner may read it'},
];
/** Damaged records are left out. */
const incomplete = 2;
const progressEvery = 100_000;

export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  return helpText(
    'orch store backup --file FILE [FLAGS]',
    [
      'Writes all records to a file, as they are at one moment: one revision of each shard of the store. Servers go on writing meanwhile, with',
      'the embedded store too. The file has a checksum, and is there under its name only once it is whole. Encrypted records stay encrypted: keep',
      'their keys. "orch store restore" puts the records into any store of the same platform. Exit code 2 means that damaged records were left',
      'out ("orch store check" names them), 1 that there is no backup.',
    ],
    await storeFlagHelp(args, terminal, ownFlags),
    'orch store backup --data-dir /var/lib/orch --file /var/backups/orch.backup',
    'orch store backup --store redis://127.0.0.1:6379/0 --file "/var/backups/orch-$(date +%F).backup"',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {tools, extra} = await storeOf('backup', args, terminal, ownFlags);
  const path = fileOf('backup', extra);
  const writer = await BackupWriter.create(path);
  let damaged = 0;
  let reported = 0;
  const take = async (records: readonly BackupRecord[]) => {
    const whole = records.filter(({value}) => value?.length !== 0);
    damaged += records.length - whole.length;
    await writer.add(whole);
    if (writer.lines - reported < progressEvery) return;
    reported = writer.lines;
    terminal.err.write(`${writer.lines} records and changes written\n`);
  };
  try {
    const revisions = await tools.backup(take);
    await writer.finish(revisions);
    terminal.out.write(`${writer.lines} records and changes written, ${damaged} damaged ones left out; revision ${revisions.join(', ')}\n`);
  } catch (error) {
    await writer.discard();
    throw error;
  }
  return damaged > 0 ? incomplete : 0;
}
