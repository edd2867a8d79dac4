import type {Duplex} from 'node:stream';

/** About a hundred of the shortest requests or responses. */
const partBytes = 4096;
const ignore = (): void => undefined;

/**
 * Passes on what a socket receives in small parts, so that parsing stops once the socket is destroyed. Node parses everything it has read
 * at once: 64 KiB of 1xx responses take 20 ms, even if the connection is given up at the sixth.
 *
 * @param passed called with the number of bytes of each part that has been passed on
 * @param isOver whether nothing more is to be passed on; asked before each part
 * @returns a function that ends this
 */
export function readInSmallParts(socket: Duplex, passed: (bytes: number) => void = ignore, isOver = () => false): () => void {
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!Buffer.isBuffer(chunk)) return push(chunk, encoding);
    let wantsMore = true;
    for (let at = 0; at < chunk.length && !socket.destroyed && !isOver(); at += partBytes) {
      const part = chunk.length <= partBytes ? chunk : chunk.subarray(at, at + partBytes);
      wantsMore = push(part);
      passed(part.length);
    }
    return wantsMore;
  };
  return () => {
    socket.push = push;
  };
}
