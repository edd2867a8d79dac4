import {execFile, spawn, type ChildProcess} from 'node:child_process';
import {existsSync, mkdirSync, realpathSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {tempFolder, type Teardown} from './temp-folder.js';

/** A kubectl that this machine has. */
export interface KubectlBinary {
  readonly path: string;
  /** Minor version: 29 for 1.29; undefined for the one without a version in its name. */
  readonly minor: number | undefined;
}

export interface KubectlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Kubectl {
  readonly binary: KubectlBinary;
  /** Runs a command to its end; `input` goes to standard input. Ends it after `timeoutMillis` (20,000). */
  run(argv: readonly string[], options?: {input?: string; timeoutMillis?: number}): Promise<KubectlResult>;
  /** As `run`, but throws with both outputs unless the exit code is 0. Answers standard output. */
  ok(argv: readonly string[], options?: {input?: string; timeoutMillis?: number}): Promise<string>;
  /** Starts a command that goes on, such as `get -w`. It is ended at the end of the test. */
  start(argv: readonly string[]): {child: ChildProcess; output(): string; until(pattern: RegExp): Promise<RegExpExecArray>};
}

/**
 * Releases that tests run with: those that find out about types in ways of their own, and the newest. `ORCH_TEST_KUBECTLS=all` takes every one that is there
 * (`npm run test:kubectl`).
 */
const usual = new Set([27, 29, 33]);

/** The kubectl binaries of minor versions 27 to 40 beside a `kubectl` of the `PATH`; where there are none, the plain one. */
export function findKubectls(): KubectlBinary[] {
  const plain = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'kubectl'))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path));
  const found: KubectlBinary[] = [];
  for (let minor = 27; minor <= 40; minor++) {
    const path = plain.map((each) => join(dirname(each), `kubectl.1.${minor}`)).find((each) => existsSync(each));
    if (path !== undefined) found.push({path, minor});
  }
  if (found.length === 0) return plain.slice(0, 1).map((path) => ({path, minor: undefined}));
  const chosen = found.filter(({minor}) => process.env.ORCH_TEST_KUBECTLS === 'all' || usual.has(minor!));
  return chosen.length > 0 ? chosen : found;
}

/**
 * A kubectl that uses one kubeconfig and has a home and a cache of its own.
 *
 * @param variables of its environment, beside those that all have
 */
export function kubectlFor(
  t: Teardown,
  binary: KubectlBinary,
  kubeconfig: string,
  variables: Readonly<Record<string, string>> = {},
): Kubectl {
  const home = tempFolder(t, 'orch-kubectl-');
  mkdirSync(join(home, 'cache'));
  const common = [`--kubeconfig=${kubeconfig}`, `--cache-dir=${join(home, 'cache')}`];
  const own = {PATH: process.env.PATH, HOME: home, KUBECTL_COMMAND_HEADERS: 'false', ORCH_TEST_RUN: process.env.ORCH_TEST_RUN};
  const env = {...own, ...variables};
  const run: Kubectl['run'] = (argv, options = {}) =>
    new Promise((resolve, reject) => {
      const child = execFile(
        binary.path,
        [...common, ...argv],
        {env, cwd: home, timeout: options.timeoutMillis ?? 20_000, killSignal: 'SIGKILL', maxBuffer: 1 << 26},
        (error, stdout, stderr) => {
          // A word instead of a number as code: the program could not be started at all.
          if (error && typeof error.code === 'string') reject(new Error(`${binary.path}: ${error.message}`));
          else resolve({code: error?.killed ? null : child.exitCode, stdout, stderr});
        },
      );
      // It may have ended before it read anything: its exit code says more.
      child.stdin?.on('error', () => undefined).end(options.input ?? '');
    });
  return {
    binary,
    run,
    async ok(argv, options) {
      const result = await run(argv, options);
      if (result.code !== 0) {
        throw new Error(`kubectl ${argv.join(' ')}: exit code ${result.code}\n${result.stderr}\n${result.stdout}`);
      }
      return result.stdout;
    },
    start(argv) {
      const child = spawn(binary.path, [...common, ...argv], {env, cwd: home, stdio: ['ignore', 'pipe', 'pipe']});
      let output = '';
      const take = (text: string) => {
        output += text;
        child.emit('printed');
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
      const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
      t.teardown(async () => {
        child.kill('SIGKILL');
        await closed;
      });
      return {
        child,
        output: () => output,
        until: (pattern) =>
          new Promise((resolve, reject) => {
            const timer = setTimeout(() => finish(undefined, `did not print ${pattern} within 20 s`), 20_000);
            const look = () => {
              const match = pattern.exec(output);
              if (match) finish(match, '');
            };
            const over = () => finish(pattern.exec(output) ?? undefined, `ended without printing ${pattern}`);
            const finish = (match: RegExpExecArray | undefined, problem: string) => {
              clearTimeout(timer);
              child.off('printed', look);
              child.off('close', over);
              if (match) resolve(match);
              else reject(new Error(`kubectl ${argv.join(' ')} ${problem}\n${output}`));
            };
            child.on('printed', look);
            child.once('close', over);
            look();
          }),
      };
    },
  };
}
