import {setTimeout as sleep} from 'node:timers/promises';

/** Waits until a condition holds; fails after 15 seconds. */
export async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it does not come about that ${what}`);
    await sleep(5);
  }
}
