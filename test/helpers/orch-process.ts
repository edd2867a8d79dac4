import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {quietControllers} from '../../testing/quiet-controllers.js';
import {readKubeconfig, type Credentials} from './kubeconfig.js';
import type {Teardown} from './temp-folder.js';

/** The command line, as users run it, that belongs to this compiled helper, whatever output folder was chosen. */
export const commandLine = fileURLToPath(new URL('../../bundle/core/cli/main.js', import.meta.url));

/** The flags that `npm start` and the `orch` command give to Node (docs/decisions/0015). */
const nodeFlags = ['--max-semi-space-size=16'];
/** And what they set for the C library (docs/decisions/0027). */
const oneArena = {MALLOC_ARENA_MAX: '1'};

const readyLine = /^ready (https:\/\/\S+) kubeconfig=(.+)$/m;

export interface OrchProcessOptions {
  /** Value of `--store`; the embedded store in the data directory when absent. */
  store?: string;
  platform?: 'orch' | 'kubernetes';
  /** Data directory to use and keep; a temporary one, removed by `stop`, when absent. */
  dataDir?: string;
  /** Port to listen on; 0, the default, takes a free one. */
  port?: number;
  /** Further arguments of `orch serve`. */
  extra?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The command line to run; the bundled one by default. */
  program?: string;
  /** How long the server may take until it is ready, in milliseconds; 30,000 by default. */
  startTimeoutMillis?: number;
}

/** A running server and what a client needs to talk to it. */
export interface OrchProcess extends Credentials {
  readonly kubeconfig: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until the line `ready`. */
  readonly readyMillis: number;
  readonly child: ChildProcess;
  /** All that the process has printed, standard output and error in order of arrival. */
  logs(): string;
  /** Sends SIGTERM and waits for the end. Answers the exit code. Throws when the process does not end within 15 s (and kills it). */
  stop(): Promise<number | null>;
  /** Ends the process at once, as a crash would, and waits until it is gone. The data directory stays. */
  kill9(): Promise<void>;
}

/**
 * Starts `orch serve` from the compiled tree as a process of its own and waits until it is ready.
 * Throws with all that the process printed when it ends or stays silent instead.
 */
export async function spawnOrch(options: OrchProcessOptions = {}): Promise<OrchProcess> {
  const temporary = options.dataDir === undefined;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'orch-data-'));
  const removeData = () => {
    if (temporary) rmSync(dataDir, {recursive: true, force: true});
  };
  const argv = [options.program ?? commandLine, 'serve', '--secure-port', String(options.port ?? 0), '--data-dir', dataDir];
  if (options.store !== undefined) argv.push('--store', options.store);
  if (options.platform !== undefined) argv.push('--platform', options.platform);
  const {extra = []} = options;
  argv.push(...extra);
  // As in a server of the test's own process.
  if (!extra.some((text) => /^--(controllers|config|only-plugins)\b/.test(text))) argv.push(`--controllers=${quietControllers.join(',')}`);

  const started = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {...oneArena, ...process.env, ...options.env},
  });
  let printed = '';
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = once(child, 'close');
  const ready = new Promise<RegExpExecArray>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`orch serve was not ready in time\n${printed}`)), options.startTimeoutMillis ?? 30_000);
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`orch serve ${reason}\n${printed}`));
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      output += text;
      const match = readyLine.exec(output);
      if (!match) return;
      clearTimeout(timer);
      output = '';
      resolve(match);
    });
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    child.once('close', (code, signal) => fail(`ended (${signal ?? `exit code ${code}`}) before it was ready`));
  });

  let match: RegExpExecArray;
  try {
    match = await ready;
  } catch (error) {
    child.kill('SIGKILL');
    await ended;
    removeData();
    throw error;
  }
  const readyMillis = performance.now() - started;
  const gone = () => child.exitCode !== null || child.signalCode !== null;
  const kubeconfig = match[2]!.trim();
  return {
    ...readKubeconfig(kubeconfig),
    url: match[1]!,
    kubeconfig,
    dataDir,
    pid: child.pid!,
    readyMillis,
    child,
    logs: () => printed,
    async stop() {
      let overdue = false;
      if (!gone()) {
        child.kill('SIGTERM');
        const timer = setTimeout(() => {
          overdue = true;
          child.kill('SIGKILL');
        }, 30_000);
        await ended;
        clearTimeout(timer);
      }
      removeData();
      if (overdue) throw new Error(`orch serve did not end within 30 s of SIGTERM\n${printed}`);
      return child.exitCode;
    },
    async kill9() {
      if (gone()) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** As `spawnOrch`, for tests: the server is stopped, and must stop in time, at the end of the test. */
export async function startOrch(t: Teardown, options: OrchProcessOptions = {}): Promise<OrchProcess> {
  const orch = await spawnOrch(options);
  t.teardown(async () => {
    await orch.stop();
  });
  return orch;
}

/** Runs the command line to its end, for commands that print and exit. Standard input is empty. */
export async function runOrch(
  argv: readonly string[],
  options: {cwd?: string; env?: Readonly<Record<string, string>>; timeoutMillis?: number} = {},
): Promise<{code: number | null; stdout: string; stderr: string}> {
  const child = spawn(process.execPath, [...nodeFlags, commandLine, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: options.cwd,
    env: {...process.env, ...options.env},
    timeout: options.timeoutMillis ?? 30_000,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return {code: child.exitCode, stdout, stderr};
}
