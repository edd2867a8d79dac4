import {setTimeout as sleep} from 'node:timers/promises';
import type {OrchProcess} from '../../test/helpers/orch-process.js';

/** For the environment of a server that is to be looked into: its inspector, once it is asked for, takes a free port. */
export const inspectable = {NODE_OPTIONS: '--inspect-port=127.0.0.1:0'};

/** A conversation with the inspector of a server. */
export interface Inspector {
  /** Calls a method of the protocol of Chrome's tools. Rejects with the inspector's words. */
  ask(method: string, params?: object): Promise<object>;
}

/** Lets `work` talk to the inspector of a server that was started with `inspectable`. @throws Error when it does not answer in time */
export async function inspect<T>(server: OrchProcess, work: (inspector: Inspector) => Promise<T>): Promise<T> {
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
    return await work({ask: (method, params = {}) => ask(socket, method, params)});
  } finally {
    socket.close();
  }
}

interface InspectorAnswer {
  readonly id: number;
  readonly result?: object;
  readonly error?: {readonly message: string};
}

let lastId = 0;

function ask(socket: WebSocket, method: string, params: object): Promise<object> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error('the inspector has closed the connection'));
    const onMessage = ({data}: {data: unknown}) => {
      const answer = JSON.parse(String(data)) as InspectorAnswer;
      if (answer.id !== id) return;
      socket.removeEventListener('message', onMessage);
      socket.removeEventListener('close', onClose);
      if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
      else resolve(answer.result ?? {});
    };
    socket.addEventListener('message', onMessage);
    socket.addEventListener('close', onClose);
    socket.send(JSON.stringify({id, method, params}));
  });
}
