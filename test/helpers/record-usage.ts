import {registerCompletionHandler} from 'ava';
import {appendFileSync, readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';

/** One line of the file that `ORCH_TEST_USAGE` names: what the process of a test file has used. scripts/test.mjs sums them up. */
export interface TestUsage {
  readonly file: string;
  /** Processor time of the process, and of those that it started and that have ended, in milliseconds. */
  readonly own: number;
  readonly started: number;
}

/** How long a process may take to end when its tests have ended: ava itself waits for as long as any test may take. */
const endMillis = 30_000;

registerCompletionHandler(() => {
  setTimeout(() => {
    process.stderr.write(`the process does not end after its tests: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit(1);
  }, endMillis).unref();
});

const path = process.env.ORCH_TEST_USAGE;
if (path) {
  let file = '';
  registerHooks({
    resolve: (wanted, context, next) => {
      if (wanted.startsWith('file:') && wanted.endsWith('.test.js')) file ||= wanted;
      return next(wanted, context);
    },
  });
  process.once('exit', () => {
    const {userCPUTime, systemCPUTime} = process.resourceUsage();
    const usage: TestUsage = {file, own: Math.round((userCPUTime + systemCPUTime) / 1000), started: endedChildren()};
    appendFileSync(path, `${JSON.stringify(usage)}\n`);
  });
}

/** Linux counts them in ticks of 10 ms. */
function endedChildren(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
}
