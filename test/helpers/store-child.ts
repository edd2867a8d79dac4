import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import type {Teardown} from './temp-folder.js';

/** A process of its own that works on a store and reports in lines. */
export interface StoreChild {
  readonly pid: number;
  /** All lines so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line that fits; rejects with all output when the process ends without one. */
  line(pattern: RegExp): Promise<string>;
  /** Resolves when there are that many lines; rejects when the process ends before. */
  count(lines: number): Promise<void>;
  /** Sends a line to the process. */
  send(line: string): void;
  /** Ends the process as a crash would, and waits until it is gone and its output is read. */
  kill9(): Promise<void>;
  /** Waits for the end and answers the exit code. */
  exit(): Promise<number | null>;
}

/** Starts one of the programs beside the tests of a store. `prefix` is put before the command line (`prlimit …`). */
export function storeChild(t: Teardown, program: URL, argv: readonly string[], prefix: readonly string[] = []): StoreChild {
  const [command, ...rest] = [...prefix, process.execPath, fileURLToPath(program), ...argv];
  const child = spawn(command!, rest, {stdio: ['pipe', 'pipe', 'pipe']});
  const lines: string[] = [];
  let errors = '';
  const changed: (() => void)[] = [];
  let over = false;
  const wake = () => {
    for (const resolve of changed.splice(0)) resolve();
  };
  createInterface({input: child.stdout}).on('line', (line) => {
    lines.push(line);
    wake();
  });
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  // A process that is gone takes no more lines; what that means is seen in its output.
  child.stdin.on('error', () => undefined);
  const closed = once(child, 'close').then(() => {
    over = true;
    wake();
  });
  t.teardown(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const until = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (over) throw new Error(`the process ended with ${child.exitCode ?? child.signalCode}: ${lines.join('\n')}\n${errors}`);
      await new Promise<void>((resolve) => changed.push(resolve));
    }
  };
  return {
    pid: child.pid!,
    lines,
    line: (pattern) => until(() => lines.find((line) => pattern.test(line))),
    count: async (count) => {
      await until(() => (lines.length >= count ? true : undefined));
    },
    send: (line) => child.stdin.write(`${line}\n`),
    async kill9() {
      child.kill('SIGKILL');
      await closed;
    },
    async exit() {
      await closed;
      return child.exitCode;
    },
  };
}
