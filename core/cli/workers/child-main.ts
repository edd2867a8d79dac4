import process from 'node:process';
import v8 from 'node:v8';
import {enableCompileCache} from '../../caches/compile-cache.js';
import {errorText} from '../error-text.js';
import type {ToChild} from './messages.js';

// As main.ts does: how the young generation is collected (docs/decisions/0015). The limit of its size is among the arguments of Node.js, which a process hands on.
v8.setFlagsFromString('--no-parallel-scavenge');
// A service manager or a terminal signals all processes: the supervisor handles it and says what to do.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Without the supervisor no process listens, and another server may be about to start.
process.once('disconnect', () => process.exit(1));
enableCompileCache();
process.once('message', (start: ToChild) => {
  const work =
    start.kind === 'worker'
      ? import('./worker.js').then(({runWorker}) => runWorker(start))
      : import('./store-process.js').then(({runStore}) => {
          if (start.kind === 'store') return runStore(start);
          throw new Error(`a process cannot begin with ${start.kind}`);
        });
  work.then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`orch: ${errorText(error)}\n`, () => process.exit(1));
    },
  );
});
