import type {Socket} from 'node:net';
import {expect, type Hook} from './hook.js';

interface WriteHandle {
  readonly writeQueueSize: number;
}

/** How many bytes the operating system has accepted for a client. The rest is queued at the handle, where Node does not show it. */
export function writtenBytes(transport: Socket): number {
  const {_handle: handle} = transport as Socket & {_handle: WriteHandle | null};
  return transport.bytesWritten - (handle?.writeQueueSize ?? 0);
}

export const writtenBytesHook: Hook = {
  name: 'written-bytes',
  claim: 'the handle of a connection says how many bytes wait in it',
  async probe(bench) {
    const connection = await bench.connect();
    const {_handle: handle} = connection.socket as Socket & {_handle: Partial<WriteHandle> | null};
    const waiting = handle?.writeQueueSize;
    expect(waiting === 0, `it says ${String(waiting)} where none waits`);
    connection.release();
  },
};
