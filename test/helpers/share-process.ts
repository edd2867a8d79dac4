// Lets several test files run one after the other in one process of ava: what V8 has compiled and warmed up for one serves the next, and a process
// is started once. A file's hooks surround its own tests as they do when it is alone.
import ava, {type ExecutionContext} from 'ava';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
import {inTime} from './in-time.js';

/** Tests of a file share its servers and may begin together. Less than the limit of ava itself (ava.config.mjs), which ends the whole process. */
const testMillis = 300_000;
const hooksMillis = 120_000;

type Run = (t: ExecutionContext, ...more: unknown[]) => unknown;
type Hook = () => unknown;

interface Declared {
  readonly title: string;
  readonly serial: boolean;
  readonly run: (t: ExecutionContext) => unknown;
}

/** What a file has declared. */
class TestsOfFile {
  readonly #name: string;
  readonly before: Hook[] = [];
  readonly after: Hook[] = [];
  readonly tests: Declared[] = [];
  readonly skipped: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Hands everything to ava. The tests begin with `turn`; resolves when they and the hooks behind them have ended, in whatever way. */
  hand(turn: Promise<unknown>): Promise<unknown> {
    const begun = turn.then(() => inOrder(this.before));
    const ends: Promise<void>[] = [];
    let former = Promise.resolve();
    for (const {title, serial, run} of this.tests.toSorted((a, b) => Number(b.serial) - Number(a.serial))) {
      const before = former;
      const {promise: ended, resolve: end} = Promise.withResolvers<void>();
      ends.push(ended);
      if (serial) former = ended;
      ava(this.#titled(title), async (t) => {
        // The first that is registered is the last that runs.
        t.teardown(end);
        await begun;
        await before;
        // Whatever one of them waits for, the others get their turn. Each assertion begins it anew; a test that takes longer says so itself.
        t.timeout(testMillis, `nothing was asserted for ${testMillis / 1000} s`);
        await run(t);
      });
    }
    for (const title of this.skipped) ava.skip(this.#titled(title), (t) => t.pass());
    if (ends.length === 0) return turn;
    // What a failed test has left must not keep the next file from its turn.
    const done = Promise.all(ends).then(() => inTime('the hooks end', inOrder(this.after), hooksMillis));
    ava.after.always(this.#titled('hooks behind it'), async () => {
      await done;
    });
    return done.catch(() => undefined);
  }

  #titled(title: string): string {
    return `${this.#name} › ${title}`;
  }
}

async function inOrder(hooks: readonly Hook[]): Promise<void> {
  for (const hook of hooks) await hook();
}

let current: TestsOfFile;

function declare(serial: boolean): (title: string, run: Run, ...more: unknown[]) => void {
  return (title, run, ...more) => void current.tests.push({title, serial, run: (t) => run(t, ...more)});
}

const keepBefore = (hook: Hook) => void current.before.push(hook);
const keepAfter = (hook: Hook) => void current.after.push(hook);

/** What files that share a process get for ava's `test`: the part of it that they use. */
// oxlint-disable-next-line import/no-default-export -- it stands for ava, whose `test` is one.
export default Object.assign(declare(false), {
  serial: declare(true),
  before: keepBefore,
  after: Object.assign(keepAfter, {always: keepAfter}),
  skip: (title: string) => void current.skipped.push(title),
});

/** Runs test files one after the other. `files`: their URLs. Titles begin with their paths below `root`. */
export async function shareProcess(root: string, files: readonly string[]): Promise<void> {
  const self = import.meta.url;
  registerHooks({
    resolve: (wanted, context, next) =>
      wanted === 'ava' && context.parentURL !== self ? {url: self, format: 'module', shortCircuit: true} : next(wanted, context),
  });
  const declared: TestsOfFile[] = [];
  for (const file of files) {
    current = new TestsOfFile(
      fileURLToPath(file)
        .slice(fileURLToPath(root).length)
        .replace(/\.test\.js$/, '')
        .replaceAll('/', ' › '),
    );
    await import(file);
    declared.push(current);
  }
  // ava takes declarations of one turn of the event loop only.
  let turn: Promise<unknown> = Promise.resolve();
  for (const file of declared) turn = file.hand(turn);
}
