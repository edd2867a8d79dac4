import {fork, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {getPriority, setPriority} from 'node:os';
import {fileURLToPath} from 'node:url';

/** A child process that takes orders and answers each with a reply. */
export class HelperProcess<Order extends object, Reply extends {readonly error?: string}> {
  readonly #child: ChildProcess;

  /**
   * @param module a file beside this one
   * @param niceness how much more than this process it gives way to others, 0 to 19
   */
  constructor(module: string, niceness = 0) {
    this.#child = fork(fileURLToPath(new URL(`./${module}`, import.meta.url)), {stdio: ['ignore', 'inherit', 'inherit', 'ipc']});
    if (niceness > 0) setPriority(this.#child.pid!, Math.min(19, getPriority() + niceness));
  }

  /** Gives an order. Rejects with the child's words when it fails, and when it takes longer than `limitMillis`. */
  async order(order: Order, limitMillis: number): Promise<Reply> {
    const child = this.#child;
    const reply = await new Promise<Reply>((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        settle();
      };
      const timer = setTimeout(() => finish(() => reject(new Error(`no end within ${limitMillis / 1000} s`))), limitMillis);
      const onMessage = (message: unknown) => finish(() => resolve(message as Reply));
      const onExit = () => finish(() => reject(new Error('its process has ended')));
      child.once('message', onMessage);
      child.once('exit', onExit);
      child.send(order);
    });
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async end(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
