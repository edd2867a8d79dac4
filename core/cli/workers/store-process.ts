import process from 'node:process';
import {handOnStore} from '../../workers/hand-on-store.js';
import {allocateYoung, serverLogger} from '../run-server.js';
import {serverArguments} from '../server-arguments.js';
import {processTerminal} from '../terminal.js';
import type {FromChild, StartStore, ToChild} from './messages.js';

/** Owns the store for all workers until the supervisor ends it. Ends at once if they can open the store themselves. */
export async function runStore({args, url}: StartStore): Promise<void> {
  const terminal = processTerminal();
  const {options, log} = await serverArguments(args, terminal);
  const {unfiltered} = await serverLogger(log, terminal, {base: {process: 'store'}});
  const ended = new Promise<void>((resolve) => {
    process.on('message', ({kind}: ToChild) => {
      if (kind === 'stop') resolve();
    });
  });
  const handedOn = await handOnStore({...options, logger: unfiltered}, url);
  allocateYoung();
  process.send!({kind: 'store', isHandedOn: handedOn !== undefined} satisfies FromChild);
  if (!handedOn) return;
  await ended;
  await handedOn.close();
}
