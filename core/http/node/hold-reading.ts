import type {Socket} from 'node:net';
import {expect, turn, type Hook} from './hook.js';
import {ReceivedParts} from './received-parts.js';

/** The handle with which Node reads a connection. `reading` is Node's view of its state. */
interface ReadHandle {
  reading: boolean;
  readStart(): number;
  readStop(): number;
}

/**
 * Stops reading a connection until the returned function is called. Node's HTTP server would resume a paused connection when a request is
 * complete, and when a part of a response has been sent. What has already been received (the rest of 64 KiB) is still announced.
 */
export function holdReading(socket: Socket): () => void {
  const {_handle: handle} = socket as Socket & {_handle: ReadHandle | null};
  if (!handle) return () => undefined;
  handle.readStop();
  handle.readStart = () => 0;
  return () => {
    Reflect.deleteProperty(handle, 'readStart');
    // Whatever Node's view is: it may have stopped reading for its parser (`undoSocketPause`), which no longer reads by itself and so never
    // says when to go on. A stream that is full stops again with the first part.
    handle.reading = true;
    handle.readStart();
  };
}

export const holdReadingHook: Hook = {
  name: 'hold-reading',
  claim: 'nothing is read while reading is held, even if Node resumes the connection, and then everything',
  async probe(bench) {
    const connection = await bench.connect();
    const {socket, client} = connection;
    new ReceivedParts(socket, () => undefined).readFromSocket();
    const before = socket.bytesRead;
    const readOn = holdReading(socket);
    const request = connection.request('GET / HTTP/1.1\r\nHost: probe\r\n\r\n');
    while (client.writableLength > 0 || client.connecting) await turn();
    socket.pause();
    socket.resume();
    for (let turns = 0; turns < 3; turns += 1) await turn();
    expect(socket.bytesRead === before, `${socket.bytesRead - before} bytes were read`);
    readOn();
    (await request).response.end();
    connection.release();
  },
};
