import {helpText} from './flag-help.js';
import {storeFlagHelp, storeOf} from './store-arguments.js';
import type {Terminal} from './terminal.js';

export async function help(args: readonly string[], terminal: Terminal): Promise<string> {
  return helpText(
    'orch store compact [FLAGS]',
    [
      'Drops the history of the store at once, which otherwise goes after five minutes: for a store that is full. Objects are not touched.',
      'Servers may be using the store, except the embedded one; watches that were interrupted are then told to list again (410).',
      'The embedded store gets a new file, smaller, in which nothing is left of what was deleted or overwritten.',
    ],
    await storeFlagHelp(args, terminal),
    'orch store compact --store redis://127.0.0.1:6379/0',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {tools} = await storeOf('compact', args, terminal);
  await tools.use(async (store) => {
    for (let shard = 0; shard < store.shards; shard++) {
      const revision = await store.revision(shard);
      await store.compact(shard, revision);
      terminal.out.write(`shard ${shard}: history dropped up to revision ${revision}\n`);
    }
  });
  const rewritten = await tools.rewrite();
  if (rewritten)
    terminal.out.write(
      `the store is in a new file of ${mebibytes(rewritten.bytes)} MiB; the one before had ${mebibytes(rewritten.bytesBefore)} MiB\n`,
    );
  return 0;
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
