import {fork, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {getPriority, setPriority} from 'node:os';
import {fileURLToPath} from 'node:url';
import type {Job, MeasuredJob, Measurement} from './work.js';

interface Answer {
  measurement?: Measurement;
  error?: string;
}

/** How a client leaves processors to others. */
export type Yielding = 'idle' | 'nice';

/** The load client as a child process. */
export class LoadProcess {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./load-client.js', import.meta.url)), {stdio: ['ignore', 'inherit', 'inherit', 'ipc']});
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /**
   * Lets other processes have the processors first. Answers how.
   *
   * @param wanted `idle`: it runs only where nobody else wants to, as if this client were on another machine, and not at all where others are busy; needs `chrt`
   * (of util-linux). `nice`: it gets a lower weight
   */
  yieldToOthers(wanted: Yielding): Yielding {
    // Fails when a thread of the process ends meanwhile.
    for (let attempt = 0; wanted === 'idle' && attempt < 5; attempt += 1)
      if (spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(this.pid)], {stdio: 'ignore'}).status === 0) return 'idle';
    setPriority(this.pid, Math.min(19, getPriority(this.pid) + 10));
    return 'nice';
  }

  /** Carries out a job. Rejects with the client's words when it fails, and after two minutes. */
  run(job: MeasuredJob): Promise<Measurement>;
  run(job: Exclude<Job, MeasuredJob>): Promise<undefined>;
  async run(job: Job): Promise<Measurement | undefined> {
    const child = this.#child;
    const answer = await new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => finish(() => reject(new Error(`the load client did not finish: ${job.kind}`))), 120_000);
      const onMessage = (message: Answer) => finish(() => resolve(message));
      const onExit = () => finish(() => reject(new Error('the load client has ended')));
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        settle();
      };
      child.once('message', onMessage);
      child.once('exit', onExit);
      child.send(job);
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.measurement;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
