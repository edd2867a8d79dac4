import type {Socket} from 'node:net';

/** Node's parser of a connection, as far as it is used here. `parser[constructor.kOnExecute]` is called with what it has parsed at once. */
interface Parser {
  readonly constructor: {readonly kOnExecute: number};
  [callback: number]: ((parsed: number | Error) => void) | undefined;
}

const ignore = () => undefined;

/**
 * Calls back with the number of bytes each time that Node's HTTP parser has parsed some that the connection received.
 *
 * To be called when Node's HTTP server listens to the socket already, and before anything else divides what the socket receives.
 */
export function countParsed(socket: Socket, parsed: (bytes: number) => void): void {
  // The parser reads the handle below the socket by itself at first, for speed.
  const {parser} = socket as Socket & {parser?: Parser | null};
  const done = parser?.[parser.constructor.kOnExecute];
  if (parser && done) {
    parser[parser.constructor.kOnExecute] = (result) => {
      if (typeof result === 'number') parsed(result);
      done(result);
    };
  }
  const push = socket.push.bind(socket);
  socket.push = (part: unknown, encoding?: BufferEncoding) => {
    const wantsMore = push(part, encoding);
    if (Buffer.isBuffer(part)) parsed(part.length);
    return wantsMore;
  };
}

/**
 * Has Node's parser take what a connection receives from the socket, in the parts in which it is pushed there, instead of all at once from the
 * handle below it. Node changes over when somebody listens for data. It costs 3 µs for each request.
 */
export function parseFromSocket(socket: Socket): void {
  socket.on('data', ignore);
  socket.off('data', ignore);
}

/** Nothing that the connection receives from now on is parsed. */
export function parseNothing(socket: Socket): void {
  parseFromSocket(socket);
  const push = socket.push.bind(socket);
  socket.push = (part: unknown, encoding?: BufferEncoding) => (Buffer.isBuffer(part) ? true : push(part, encoding));
}
