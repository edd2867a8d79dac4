import {shownWord} from '../../sdk/values/shown-text.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {helpText} from './flag-help.js';
import {storeFlagHelp, storeOf} from './store-arguments.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const ownFlags: readonly FlagDefinition[] = [
  {
    name: 'type',
    type: 'string',
    value: 'TYPE',
    description: 'Type of the record, as "orch store check" names it: configmaps, or deployments.apps',
  },
  {name: 'key', type: 'string', value: 'KEY', description: 'NAMESPACE/NAME, or NAME where there is no namespace'},
];
/** There is no such record. */
const missing = 2;

export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  return helpText(
    'orch store drop-record --type TYPE --key KEY [FLAGS]',
    [
      'Removes one record, whatever it holds: no finalizer, admission controller or owner is asked. For records that "orch store check" names.',
      'Servers may be using the store, except the embedded one; the object can be created again afterwards. Exit code 2 means that there',
      'is no such record.',
    ],
    await storeFlagHelp(args, terminal, ownFlags),
    'orch store drop-record --data-dir /var/lib/orch --type configmaps --key default/settings',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {tools, extra} = await storeOf('drop-record', args, terminal, ownFlags);
  const [type, key] = [extra.get('type'), extra.get('key')];
  if (typeof type !== 'string' || typeof key !== 'string') throw new UsageError('orch store drop-record needs --type and --key');
  return tools.use(async (store) => {
    const record = Iterator.from((await store.list(type)).records).find((found) => found.key === key);
    if (record === undefined) {
      terminal.out.write(`there is no record ${shownWord(key)} of type ${shownWord(type)}\n`);
      return missing;
    }
    await store.commit({type, key, expected: record.revision, value: null});
    terminal.out.write(`removed ${shownWord(type)} ${shownWord(key)}, which was at revision ${record.revision}\n`);
    return 0;
  });
}
