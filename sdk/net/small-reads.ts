import type {Duplex} from 'node:stream';

/** About a hundred of the shortest requests or responses. */
const partBytes = 4096;

/**
 * Passes on what a socket receives in small parts, so that parsing stops once the socket is destroyed. Node parses everything it has read
 * at once: 64 KiB of 1xx responses take 20 ms, even if the connection is given up at the sixth.
 *
 * @returns a function that ends this
 */
export function readInSmallParts(socket: Duplex): () => void {
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!Buffer.isBuffer(chunk) || chunk.length <= partBytes) return push(chunk, encoding);
    let wantsMore = true;
    for (let at = 0; at < chunk.length && !socket.destroyed; at += partBytes) wantsMore = push(chunk.subarray(at, at + partBytes));
    return wantsMore;
  };
  return () => {
    socket.push = push;
  };
}
