import type {ShardStatus} from '../../sdk/index.js';
import {shownText} from '../../sdk/values/shown-text.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {helpText} from './flag-help.js';
import {storeFlagHelp, storeOf} from './store-arguments.js';
import type {Terminal} from './terminal.js';

const ownFlags: readonly FlagDefinition[] = [{name: 'json', type: 'boolean', description: 'Print JSON'}];
/** Data is missing. */
const incomplete = 2;

export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  return helpText(
    'orch store status [FLAGS]',
    [
      'Shows how far each shard of the store has come, what the data directory remembers of it, what is missing in it, and for Redis',
      'where each shard lies and what it takes there. Changes nothing; servers may be using the store. Exit code 2 means that data is',
      'missing, 1 that the store cannot be asked.',
    ],
    await storeFlagHelp(args, terminal, ownFlags),
    'orch store status --store redis://127.0.0.1:6379/0',
    'orch store status --data-dir /var/lib/orch --json',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {tools, extra} = await storeOf('status', args, terminal, ownFlags);
  const shards = await tools.status();
  terminal.out.write(extra.get('json') === true ? `${JSON.stringify(shards, undefined, 2)}\n` : statusText(shards));
  return shards.some(({missing}) => missing !== undefined) ? incomplete : 0;
}

/** A few lines for each shard, and a table of where they lie. */
export function statusText(shards: readonly ShardStatus[]): string {
  if (shards.length === 0) return 'the store is empty, and nothing is remembered of it\n';
  const lines = shards.flatMap(({shard, lineage, remembered, records, missing}) => [
    `shard ${shard}: ${lineage === undefined ? 'empty' : `${records} records, revision ${lineage.revision}, epoch ${lineage.epoch}`}`,
    ...(remembered === undefined ? [] : [`  remembered: revision ${remembered.revision}, epoch ${remembered.epoch}`]),
    ...(missing === undefined ? [] : [`  MISSING: ${shownText(missing)}`]),
  ]);
  return `${[...lines, ...placementLines(shards)].join('\n')}\n`;
}

function placementLines(shards: readonly ShardStatus[]): string[] {
  const rows = shards.flatMap(({shard, records, placement}) => {
    if (placement === undefined) return [];
    const {node, slot, keys, bytes} = placement;
    return [
      [
        String(shard),
        slot === undefined ? '-' : String(slot),
        shownText(node),
        String(keys),
        String(records),
        bytes === undefined ? '-' : String(bytes),
      ],
    ];
  });
  if (rows.length === 0) return [];
  const table = [['SHARD', 'SLOT', 'NODE', 'KEYS', 'RECORDS', 'BYTES'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return [
    '',
    ...table.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    ),
  ];
}
