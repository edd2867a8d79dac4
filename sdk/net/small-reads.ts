import type {Duplex} from 'node:stream';

/** About a hundred of the shortest requests or answers. */
const partBytes = 4096;

/**
 * Passes on what a socket receives in small parts, so that nothing more is parsed once the socket is destroyed. Node parses everything that it has read at once:
 * 64 KiB of interim answers take 20 ms, though the connection is given up at the sixth.
 *
 * @returns ends it
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
