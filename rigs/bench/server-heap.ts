import {setTimeout as sleep} from 'node:timers/promises';
import type {OrchProcess} from '../../test/helpers/orch-process.js';

/** For the environment of a server whose heap is to be measured: its inspector, once it is asked for, takes a free port. */
export const inspectable = {NODE_OPTIONS: '--inspect-port=127.0.0.1:0'};

/** What a process holds after a garbage collection, in bytes. */
export interface HeapUsage {
  /** JavaScript objects. */
  readonly heap: number;
  /** Buffers and what else lies outside of the heap. */
  readonly external: number;
}

interface InspectorAnswer {
  readonly id: number;
  readonly result?: {readonly result?: {readonly value?: string}};
  readonly error?: {readonly message: string};
}

/** Has a server that was started with `inspectable` collect its garbage, and measures what is left. */
export function heapOf(server: OrchProcess): Promise<HeapUsage> {
  return inspect(server, async (socket) => {
    // What finalizers let go of is collected by the second.
    for (let time = 0; time < 2; time++) await ask(socket, 'HeapProfiler.collectGarbage', {});
    const {heapUsed, external} = (await evaluate(socket, 'process.memoryUsage()')) as {heapUsed: number; external: number};
    return {heap: heapUsed, external};
  });
}

/** The longest time without a break for which the event loop of a server was busy, in milliseconds. */
export interface LongestTurn {
  /** By the clock: others who have the processor meanwhile make it longer. */
  readonly millis: number;
  /** Of the processor. */
  readonly processorMillis: number;
}

/** Has a server that was started with `inspectable` measure for how long its event loop is busy without a break. */
export async function watchTurns(server: OrchProcess): Promise<void> {
  const begin = `(() => {
    const delay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({resolution: 1});
    const turns = {delay, processorMillis: 0};
    let last = process.threadCpuUsage();
    const look = () => {
      const {user, system} = process.threadCpuUsage(last);
      turns.processorMillis = Math.max(turns.processorMillis, (user + system) / 1000);
      last = process.threadCpuUsage();
    };
    setInterval(look, 1).unref();
    delay.enable();
    globalThis.benchTurns = turns;
  })()`;
  await inspect(server, (socket) => evaluate(socket, begin));
}

/** The longest such time since it was asked for last. */
export function longestTurnOf(server: OrchProcess): Promise<LongestTurn> {
  const read = `((turns) => {
    const longest = {millis: Math.max(0, turns.delay.max / 1e6), processorMillis: turns.processorMillis};
    turns.delay.reset();
    turns.processorMillis = 0;
    return longest;
  })(benchTurns)`;
  return inspect(server, async (socket) => (await evaluate(socket, read)) as LongestTurn);
}

async function inspect<T>(server: OrchProcess, work: (socket: WebSocket) => Promise<T>): Promise<T> {
  const address = () => /^Debugger listening on (ws:\S+)$/m.exec(server.logs())?.[1];
  if (!address()) process.kill(server.pid, 'SIGUSR1');
  const deadline = performance.now() + 5_000;
  while (!address()) {
    if (performance.now() > deadline) throw new Error('the inspector of the server does not answer');
    await sleep(10);
  }
  const socket = new WebSocket(address()!);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), {once: true});
      socket.addEventListener('error', () => reject(new Error('no connection to the inspector of the server')), {once: true});
    });
    return await work(socket);
  } finally {
    socket.close();
  }
}

async function evaluate(socket: WebSocket, expression: string): Promise<unknown> {
  const {result} = await ask(socket, 'Runtime.evaluate', {expression: `JSON.stringify(${expression} ?? null)`});
  return JSON.parse(result!.result!.value!) as unknown;
}

let lastId = 0;

function ask(socket: WebSocket, method: string, params: object): Promise<InspectorAnswer> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error('the inspector has closed the connection'));
    const onMessage = ({data}: {data: unknown}) => {
      const answer = JSON.parse(String(data)) as InspectorAnswer;
      if (answer.id !== id) return;
      socket.removeEventListener('message', onMessage);
      socket.removeEventListener('close', onClose);
      if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
      else resolve(answer);
    };
    socket.addEventListener('message', onMessage);
    socket.addEventListener('close', onClose);
    socket.send(JSON.stringify({id, method, params}));
  });
}
