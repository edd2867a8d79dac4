import {constants, createDeflate, createInflate, type Deflate, type Inflate} from 'node:zlib';
import {headerDictionary} from './header-dictionary.js';

/** Bytes of one block of headers, unpacked, and how many headers it may have. */
const largestBlock = 64 * 1024;
const mostHeaders = 100;

/** The headers of the streams of one connection: each direction is packed as a whole, so that blocks have to be read and written in their order. */
export class HeaderCodec {
  readonly #inflate: Inflate = createInflate({dictionary: headerDictionary});
  readonly #deflate: Deflate = createDeflate({dictionary: headerDictionary});

  /** @throws Error for a block that is damaged or too large */
  async read(block: Buffer): Promise<ReadonlyMap<string, string>> {
    return headersOf(await through(this.#inflate, block));
  }

  /** A block without headers. */
  writeNone(): Promise<Buffer> {
    return through(this.#deflate, Buffer.alloc(4));
  }

  close(): void {
    this.#inflate.destroy();
    this.#deflate.destroy();
  }
}

function through(coder: Inflate | Deflate, block: Buffer): Promise<Buffer> {
  const {promise, resolve, reject} = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer) => {
    parts.push(part);
    size += part.length;
    if (size > largestBlock) coder.destroy(new Error('a block of headers is too large'));
  };
  const failed = (error: Error) => {
    coder.off('data', take);
    reject(error);
  };
  const closed = () => reject(new Error('the connection is closed'));
  coder.on('data', take).once('error', failed).once('close', closed);
  coder.write(block);
  coder.flush(constants.Z_SYNC_FLUSH, () => {
    coder.off('data', take).off('error', failed).off('close', closed);
    // Who is not listened to must not end the process.
    coder.on('error', () => undefined);
    if (coder.destroyed) reject(new Error('a block of headers cannot be read'));
    else resolve(Buffer.concat(parts));
  });
  return promise;
}

function headersOf(block: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  const number = () => {
    if (at + 4 > block.length) throw new Error('a block of headers ends too early');
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = () => {
    const length = number();
    if (at + length > block.length) throw new Error('a block of headers ends too early');
    at += length;
    return block.toString('latin1', at - length, at);
  };
  const count = number();
  if (count > mostHeaders) throw new Error('there are too many headers');
  for (let index = 0; index < count; index += 1) headers.set(text().toLowerCase(), text());
  return headers;
}
