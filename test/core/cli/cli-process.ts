import type {ExecutionContext} from 'ava';
import {spawn, type ChildProcess} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {commandLine} from '../../helpers/orch-process.js';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A process of the compiled `orch`. */
export class CliProcess {
  out = '';
  err = '';
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private readonly waiting = new Set<() => void>();

  constructor(t: ExecutionContext, args: readonly string[], cwd: string) {
    this.child = spawn(process.execPath, [commandLine, ...args], {cwd, stdio: ['ignore', 'pipe', 'pipe']});
    this.child.stdout!.on('data', (chunk: Buffer) => this.grow('out', chunk));
    this.child.stderr!.on('data', (chunk: Buffer) => this.grow('err', chunk));
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code) => {
        resolve({code, out: this.out, err: this.err});
        for (const look of this.waiting) look();
      });
    });
    t.teardown(async () => {
      this.child.kill('SIGKILL');
      await this.ended;
    });
  }

  /** Resolves when the stream has a text; rejects when the process ends without, or a minute has passed. */
  until(stream: 'out' | 'err', text: string | RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.waiting.delete(look);
        reject(new Error(`a minute without ${String(text)}:\n${this.out}${this.err}`));
      }, 60_000);
      const look = () => {
        if (this[stream].search(text) >= 0) {
          clearTimeout(late);
          this.waiting.delete(look);
          resolve();
        } else if (this.child.exitCode !== null) {
          clearTimeout(late);
          reject(new Error(`the process ended without ${String(text)}:\n${this.out}${this.err}`));
        }
      };
      this.waiting.add(look);
      look();
    });
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  private grow(stream: 'out' | 'err', chunk: Buffer): void {
    this[stream] += chunk.toString();
    for (const look of this.waiting) look();
  }
}

/** Runs `orch` to its end in a folder (an empty one when none is given). */
export function orch(t: ExecutionContext, args: readonly string[], cwd: string = emptyFolder(t)): Promise<Ended> {
  return new CliProcess(t, args, cwd).ended;
}

/** An empty folder for one test. */
export function emptyFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orch-cli-'));
  t.teardown(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
