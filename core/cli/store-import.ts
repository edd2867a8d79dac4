import {open} from 'node:fs/promises';
import type {Store} from '../../sdk/index.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {helpText} from './flag-help.js';
import {fileOf, storeFlagHelp, storeOf} from './store-arguments.js';
import type {Terminal} from './terminal.js';

const ownFlags: readonly FlagDefinition[] = [
  {name: 'file', type: 'string', value: 'FILE', description: 'File that "orch store export" has written'},
];
const recordsAtOnce = 256;
const progressEvery = 100_000;

interface ExportedRecord {
  readonly type: string;
  readonly key: string;
  readonly value: string;
}

export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  return helpText(
    'orch store import --file FILE [FLAGS]',
    [
      'Fills a store, which must be empty, with the records of a file that "orch store export" has written. Objects keep their uid and get new',
      'resource versions. No server may use the store yet. The file is read to its end before anything is written.',
    ],
    await storeFlagHelp(args, terminal, ownFlags),
    'orch store import --data-dir /var/lib/orch --file /var/backups/orch.jsonl',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {tools, extra} = await storeOf('import', args, terminal, ownFlags);
  const path = fileOf('import', extra);
  let expected = 0;
  for await (const _ of exported(path)) expected += 1;
  await tools.use(async (store) => {
    if (store.types === undefined) throw new Error('this store cannot be filled');
    const [present] = await store.types();
    if (present !== undefined) throw new Error(`the store is not empty: it holds records of ${present}`);
    await fill(store, path, (records) => terminal.err.write(`${records} of ${expected} records written\n`));
  });
  terminal.out.write(`${expected} records written\n`);
  return 0;
}

async function fill(store: Store, path: string, progress: (records: number) => void): Promise<void> {
  let records = 0;
  let waiting: Promise<number>[] = [];
  for await (const {type, key, value} of exported(path)) {
    waiting.push(store.commit({type, key, expected: 0, value: Buffer.from(value, 'base64')}));
    if (waiting.length === recordsAtOnce) {
      await Promise.all(waiting);
      waiting = [];
    }
    if (++records % progressEvery === 0) progress(records);
  }
  await Promise.all(waiting);
}

/** The records of a file. @throws Error in one sentence when it is not whole */
async function* exported(path: string): AsyncGenerator<ExportedRecord> {
  const file = await open(path);
  try {
    let number = 0;
    let records = 0;
    let whole = false;
    for await (const line of file.readLines()) {
      number += 1;
      const entry = parsed(line);
      if (number === 1) {
        if (entry.format !== 'orch-store' || entry.version !== 1)
          throw new Error(`${path} was not written by "orch store export", or by a newer one`);
      } else if (whole || entry === broken) {
        throw new Error(`line ${number} of ${path} is not what "orch store export" writes`);
      } else if (typeof entry.records === 'number') {
        whole = entry.records === records;
      } else {
        const {type, key, value} = entry;
        if (typeof type !== 'string' || typeof key !== 'string' || typeof value !== 'string') {
          throw new Error(`line ${number} of ${path} is not a record`);
        }
        records += 1;
        yield {type, key, value};
      }
    }
    if (!whole) throw new Error(`${path} is not whole: its end is missing`);
  } finally {
    await file.close();
  }
}

const broken: Readonly<Record<string, unknown>> = {};

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : broken;
  } catch {
    return broken;
  }
}
