import {fork, type ChildProcess} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import type {Begin, FromServer, ToServer} from './messages.js';

/** A server gets this long to stop, in milliseconds. Its store is as safe when it is killed. */
const stopMillis = 3000;

/** The process of one version of the plugin. */
export class DevServer {
  /** Resolves when the plugin has passed the check; rejects with its faults. */
  readonly checked: Promise<void>;
  /** Resolves with the line that the server prints when it answers requests; rejects with the reason if it cannot. */
  readonly ready: Promise<string>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;

  constructor(begin: Begin) {
    this.#process = fork(fileURLToPath(new URL('server-main.js', import.meta.url)), [], {stdio: ['ignore', 'inherit', 'inherit', 'ipc']});
    const checked = Promise.withResolvers<void>();
    const ready = Promise.withResolvers<string>();
    const fail = (error: Error) => {
      checked.reject(error);
      ready.reject(error);
    };
    this.#process.on('message', (message: FromServer) => {
      if (message.kind === 'checked') checked.resolve();
      else if (message.kind === 'ready') ready.resolve(message.line);
      else fail(new Error(message.text));
    });
    this.ended = new Promise((resolve) => {
      const ended = (why: string) => {
        fail(new Error(why));
        resolve();
      };
      this.#process.once('close', (code, signal) => ended(`the server ended with ${signal ?? `code ${code}`}`));
      this.#process.once('error', ({message}) => ended(message));
    });
    this.checked = checked.promise;
    this.ready = ready.promise;
    for (const promise of [this.checked, this.ready]) promise.catch(() => undefined);
    this.#send(begin);
  }

  /** The server before has stopped: it may open the store. */
  go(): void {
    this.#send({kind: 'go'});
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    const limit = setTimeout(() => this.#process.kill('SIGKILL'), stopMillis);
    await this.ended;
    clearTimeout(limit);
  }

  #send(message: ToServer): void {
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }
}
