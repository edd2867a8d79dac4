import type {Teardown} from '../test/helpers/temp-folder.js';

/** Does the work of a program, and stops what it has started, the latest first: in the end, if it fails, and on SIGINT and SIGTERM, after which the process ends with 1. */
export async function withCleanup<T>(work: (t: Teardown) => Promise<T>): Promise<T> {
  const cleanups: (() => unknown)[] = [];
  const end = async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  const stop = () => void end().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    return await work({teardown: (cleanup) => cleanups.push(cleanup)});
  } finally {
    await end();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}
