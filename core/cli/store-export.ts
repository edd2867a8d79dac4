import {open} from 'node:fs/promises';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {recordsOf} from '../store-tools/store-records.js';
import {helpText} from './flag-help.js';
import {fileOf, storeFlagHelp, storeOf} from './store-arguments.js';
import type {Terminal} from './terminal.js';

const ownFlags: readonly FlagDefinition[] = [
  {name: 'file', type: 'string', value: 'FILE', description: 'File to write; it must not exist, and only its owner may read it'},
];
/** Damaged records are left out. */
const incomplete = 2;
const progressEvery = 100_000;
const bytesAtOnce = 1024 * 1024;

export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  return helpText(
    'orch store export --file FILE [FLAGS]',
    [
      'Writes all records to a file, one JSON text a line, for "orch store import" into any store of the same platform. Servers may go on using',
      'the store, except the embedded one; each record is then as it was at some moment of the export. Encrypted records stay encrypted.',
      'Exit code 2 means that damaged records were left out: "orch store check" names them.',
    ],
    await storeFlagHelp(args, terminal, ownFlags),
    'orch store export --store redis://127.0.0.1:6379/0 --file /var/backups/orch.jsonl',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {tools, extra} = await storeOf('export', args, terminal, ownFlags);
  const path = fileOf('export', extra);
  const file = await open(path, 'wx', 0o600);
  let records = 0;
  let damaged = 0;
  try {
    let text = `${JSON.stringify({format: 'orch-store', version: 1})}\n`;
    await tools.use(async (store) => {
      for await (const {type, key, value, damage} of recordsOf(store)) {
        if (damage !== undefined) {
          damaged += 1;
          continue;
        }
        if (++records % progressEvery === 0) terminal.err.write(`${records} records written\n`);
        text += `${JSON.stringify({type, key, value: value.toString('base64')})}\n`;
        if (text.length < bytesAtOnce) continue;
        await file.write(text);
        text = '';
      }
    });
    // So that a reader can check that the file is complete.
    await file.write(`${text}${JSON.stringify({records})}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  terminal.out.write(`${records} records written, ${damaged} damaged ones left out\n`);
  return damaged > 0 ? incomplete : 0;
}
