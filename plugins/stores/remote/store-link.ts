import {createConnection, type Socket} from 'node:net';
import {StoreError} from '../../../sdk/index.js';
import {encodeFrame, FrameReader, type Frame} from './frames.js';
import {HeadFile} from './head-file.js';
import {errorOf, protocol, type Answer, type FollowerMessage, type Hello, type Request} from './messages.js';

/** A process that has the store and says nothing for this long while somebody waits for it is given up, in milliseconds. */
const silenceMillis = 10_000;

export interface LinkOptions {
  readonly path: string;
  /** Part of the log, or its end, for somebody who follows it. */
  readonly onFollower: (message: FollowerMessage, values: Frame['values']) => void;
  /** The connection is lost; called once, unless `end` was called. Never before `open` has resolved. */
  readonly onLost: () => void;
  readonly silenceMillis?: number | undefined;
}

interface Waiting {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: StoreError) => void;
  /** Whether it changes something, so that its outcome is unknown when the connection is lost. */
  readonly changes: boolean;
  readonly parts: Row[];
}

/** A row of a long answer, and the values that belong to the part in which it came. */
type Row = {readonly result: unknown; readonly values: Frame['values']};

/** What was answered. */
export interface Result {
  readonly result: unknown;
  readonly values: Frame['values'];
  /** The parts of a long answer; `result` is what comes after them. */
  readonly parts: readonly Row[];
}

/** One connection to the process that has the store. */
export class StoreLink {
  readonly hello: Hello;
  readonly #socket: Socket;
  readonly #head: HeadFile;
  readonly #options: LinkOptions;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  #timer: NodeJS.Timeout | undefined;
  #heard = 0;
  #isLost = false;

  private constructor(socket: Socket, hello: Hello, head: HeadFile, options: LinkOptions) {
    this.#socket = socket;
    this.hello = hello;
    this.#head = head;
    this.#options = options;
  }

  /** @throws StoreError */
  static open(options: LinkOptions, signal?: AbortSignal): Promise<StoreLink> {
    const socket = createConnection({path: options.path});
    return new Promise((resolve, reject) => {
      let link: StoreLink | undefined;
      const cancel = () => socket.destroy();
      const timer = setTimeout(cancel, silenceMillis);
      signal?.addEventListener('abort', cancel);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      };
      let problem: Error | undefined;
      const reader = new FrameReader((frame) => {
        if (link) return link.#take(frame);
        const hello = frame.head as Hello;
        if (hello.hello !== protocol) {
          throw new StoreError('Corrupt', `the store at ${options.path} is served by another version of orch`);
        }
        link = new StoreLink(socket, hello, HeadFile.read(hello.headFile), options);
        settle();
        resolve(link);
      });
      socket.on('data', (chunk: Buffer) => {
        try {
          reader.push(chunk);
        } catch (error) {
          problem = error as Error;
          socket.destroy();
        }
      });
      socket.on('error', (error) => (problem = error));
      socket.once('close', () => {
        settle();
        if (link) return link.#lost();
        if (StoreError.is(problem)) return reject(problem);
        const why = problem?.message ?? 'it does not answer';
        reject(new StoreError('Unavailable', `the store at ${options.path} cannot be reached: ${why}`, {cause: problem}));
      });
    });
  }

  /** The store's revision, without asking. @throws StoreError */
  revision(): number {
    return this.#head.revision(this.hello.term);
  }

  ask(request: Request, values: readonly (Buffer | null)[] = []): Promise<Result> {
    const id = this.#next++;
    if (this.#waiting.size === 0) this.#expectAnswer();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject, changes: request.op === 'commit', parts: []});
      this.#socket.write(encodeFrame({id, ...request}, values));
    });
  }

  /** Sends a request without a reply. */
  send(request: Request): void {
    this.#socket.write(encodeFrame({id: 0, ...request}));
  }

  /** Cuts the connection; pending calls fail. */
  end(): Promise<void> {
    this.#forget();
    return new Promise((resolve) => {
      if (this.#socket.closed) return resolve();
      this.#socket.once('close', () => resolve());
      this.#socket.destroy();
    });
  }

  #take({head, values}: Frame): void {
    this.#heard = performance.now();
    if ('follower' in head) return this.#options.onFollower(head as FollowerMessage, values);
    const answer = head as Answer;
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    if ('result' in answer && answer.more) {
      waiting.parts.push({result: answer.result, values});
      return;
    }
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) clearTimeout(this.#timer);
    if ('error' in answer) waiting.reject(errorOf(answer.error, values[0]));
    else waiting.resolve({result: answer.result, values, parts: waiting.parts});
  }

  #expectAnswer(): void {
    const limit = this.#options.silenceMillis ?? silenceMillis;
    this.#heard = performance.now();
    const check = () => {
      const left = this.#heard + limit - performance.now();
      if (left <= 0) this.#socket.destroy();
      else this.#timer = setTimeout(check, left + 1);
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(check, limit);
  }

  #lost(): void {
    const wasKnown = this.#isLost;
    this.#forget();
    if (!wasKnown) this.#options.onLost();
  }

  #forget(): void {
    this.#isLost = true;
    clearTimeout(this.#timer);
    this.#head.close();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const {reject, changes} of waiting) reject(notReachable(changes));
  }
}

/** Said while there is no connection. @param indeterminate whether a commit was under way when it was lost */
export function notReachable(indeterminate = false): StoreError {
  return new StoreError('Unavailable', 'the process that has the store cannot be reached; it is tried again', {indeterminate});
}
