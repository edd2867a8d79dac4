import {existsSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import process from 'node:process';
import {problemText, type KernelProblem} from '../../kernel/kernel-error.js';
import {checkedElsewhere} from '../checks/check-process.js';
import type {StartChecks} from '../checks/start-problems.js';
import type {Terminal} from '../terminal.js';
import {UsageError} from '../usage-error.js';
import {npm} from './npm.js';
import {hashOf, replace, SavedState} from './saved-state.js';

/** Folder beside the configuration file for pending changes, and for the state before the last one. */
const stateFolder = '.orch-plugins';
const exitSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** An atomic change of a configuration file and of the packages installed beside it. */
export class PendingChange {
  readonly file: string;
  readonly folder: string;
  /** Aborted when the process is to end. */
  readonly signal: AbortSignal;
  readonly #saved: SavedState;
  readonly #terminal: Terminal;
  readonly #candidate: string;
  #before: Promise<readonly KernelProblem[]> | undefined;

  private constructor(file: string, terminal: Terminal, signal: AbortSignal) {
    this.file = file;
    this.folder = dirname(file);
    this.signal = signal;
    this.#saved = new SavedState(join(this.folder, stateFolder, 'pending'), file);
    this.#terminal = terminal;
    this.#candidate = join(this.folder, `.${basename(file)}.next`);
  }

  /**
   * Makes a change, and undoes it unless it has been committed.
   *
   * @param change for messages: `upgrade rooms`
   * @param work resolves with whether the change was wanted
   * @returns the exit code
   */
  static async run(given: string, change: string, terminal: Terminal, work: (pending: PendingChange) => Promise<boolean>): Promise<number> {
    const file = existsSync(given) ? realpathSync(given) : given;
    const interruption = new AbortController();
    const interrupt = () => interruption.abort(new UsageError('interrupted, and nothing was changed'));
    const pending = new PendingChange(file, terminal, interruption.signal);
    pending.#begin(change);
    for (const signal of exitSignals) process.on(signal, interrupt);
    let isDone = false;
    try {
      isDone = await work(pending);
    } finally {
      if (!isDone) pending.#takeBack();
      for (const signal of exitSignals) process.off(signal, interrupt);
    }
    return isDone ? 0 : 1;
  }

  /** The state before the last change, where there was one. */
  get last(): SavedState {
    return new SavedState(join(this.folder, stateFolder, 'before'), this.file);
  }

  /** Where a package is that was installed before npm ran. */
  before(path: string): string {
    const modules = join(this.folder, 'node_modules');
    return path.startsWith(modules) && this.#saved.head?.modules === 'present'
      ? join(this.#saved.folder, 'node_modules', path.slice(modules.length))
      : path;
  }

  async npm(args: readonly string[]): Promise<void> {
    // Afterwards they cannot be determined any more.
    await this.#problemsBefore();
    this.#saved.saveModules();
    await npm(args, this.folder, this.signal);
  }

  /** Puts another state in the place of the present one. */
  async restore(state: SavedState): Promise<void> {
    await this.#problemsBefore();
    if (state.head?.modules !== undefined) this.#saved.saveModules();
    state.restore(true);
  }

  /** Whether somebody agrees, which `--yes` does; says so where nothing is to be changed. @throws the reason of the signal where the process is to end */
  async isAgreedTo(question: string, flags: ReadonlyMap<string, unknown>): Promise<boolean> {
    if (flags.get('yes') === true) return true;
    const interrupted = new Promise<string>((resolve) => this.signal.addEventListener('abort', () => resolve(''), {once: true}));
    const answer = await Promise.race([this.#terminal.ask!(`${question} [no]: `), interrupted]);
    this.signal.throwIfAborted();
    if (/^y(es)?$/i.test(answer)) return true;
    this.#terminal.err.write('nothing was changed\n');
    return false;
  }

  /** New problems: those that would keep a server from starting with this text in the file, without those that do already. */
  async newProblems(text: string, checks: StartChecks = {}): Promise<readonly KernelProblem[]> {
    this.signal.throwIfAborted();
    // It is read from the same folder, which relative paths in it start from.
    writeFileSync(this.#candidate, text, {mode: 0o600});
    let problems;
    try {
      problems = await this.#problemsOf(this.#candidate, checks);
    } finally {
      rmSync(this.#candidate, {force: true});
    }
    if (problems.length === 0) return [];
    const known = new Set((await this.#problemsBefore()).map(problemText));
    return problems
      .map((fault) => (fault.file === this.#candidate ? {...fault, file: this.file} : fault))
      .filter((fault) => !known.has(problemText(fault)));
  }

  /** Writes the file and keeps the state before, for `orch plugins undo`. */
  commit(text: string | undefined): void {
    this.signal.throwIfAborted();
    if (text !== undefined) {
      const mode = statSync(this.file, {throwIfNoEntry: false})?.mode ?? 0o644;
      replace(this.file, (temporary) => writeFileSync(temporary, text, {mode, flush: true}));
    }
    this.#saved.writeHead({...this.#saved.head!, after: hashOf(this.file)});
    this.#saved.moveTo(this.last.folder);
  }

  #problemsBefore(): Promise<readonly KernelProblem[]> {
    return (this.#before ??= existsSync(this.file) ? this.#problemsOf(this.file) : Promise.resolve([]));
  }

  #problemsOf(file: string, checks: StartChecks = {}): Promise<readonly KernelProblem[]> {
    return checkedElsewhere({...checks, args: ['--config', file], cwd: this.folder}, this.signal);
  }

  #begin(change: string): void {
    const {head} = this.#saved;
    if (head !== undefined) {
      if (head.process !== process.pid && isAlive(head.process))
        throw new UsageError(`process ${head.process} is changing ${this.file} (${head.change}); wait until it is done`);
      this.#takeBack();
      this.#terminal.err.write(`${head.change} was interrupted, and has been taken back\n`);
    }
    this.#saved.save(change);
  }

  #takeBack(): void {
    this.#saved.restore();
    this.#saved.remove();
    rmSync(this.#candidate, {force: true});
    try {
      rmdirSync(dirname(this.#saved.folder));
    } catch {
      // The state before the last change is in it.
    }
  }
}

/** The text of a file; empty if it is not there. */
export function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
