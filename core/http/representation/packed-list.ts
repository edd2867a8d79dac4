import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {RequestTask} from '../../registry/request-task.js';
import {GzipJoin, Packer} from '../response/gzip-join.js';
import {joinParts, partsOf, type BodySlice} from '../response/response-buffers.js';
import {sliceBytes} from '../response/send-slices.js';
import type {MemberList} from './member-list.js';
import type {PackedBlock, PackedBlocks} from './packed-blocks.js';

/** A block ends behind the member that makes it so long: what one change in a list has to be compressed for. */
const blockBytes = 128 * 1024;
/** Shorter ones are not left between what changed and the next block that is known: a list in which much is made would be crumbs at last. */
const leastBlockBytes = blockBytes / 4;

/** Where blocks are kept. */
export interface KeptBlocks {
  /** Those of one form. */
  readonly blocks: PackedBlocks<CachedObject>;
  /** Whether a member is shown as it is stored: what is converted for a version, or brought up to date, is not kept. */
  readonly isStored: (item: CachedObject) => boolean;
}

const keepNothing = () => undefined;
const nothing = Buffer.alloc(0);

/**
 * A list of stored objects in the form of gzip, in slices. What was compressed for a list before is taken from it.
 *
 * @param kept what was compressed before, in the form of this list
 * @param counted gets the length of the list
 */
export async function* packedList(
  task: RequestTask,
  list: MemberList<CachedObject>,
  kept: KeptBlocks,
  counted: (length: number) => void,
): AsyncGenerator<BodySlice, void, void> {
  const {frame, envelope} = list;
  let blocks: AsyncIterable<Block> | Block[] = blocksOf(task, list, kept);
  let around: {readonly before: Buffer; readonly behind: Buffer} = {before: nothing, behind: nothing};
  // A length that stands before the members is known when all of them are made.
  if (envelope) {
    const made: Block[] = [];
    for await (const block of blocks) made.push(block);
    const between = frame.separator.length * Math.max(0, made.length - 1);
    around = envelope(made.reduce((sum, block) => sum + block.length, frame.head.length + between + frame.tail.length));
    blocks = made;
  }
  const join = new GzipJoin();
  let parts = [join.begin(), join.plain(Buffer.concat([around.before, frame.head]))];
  let length = 0;
  let isFirst = true;
  for await (const block of blocks) {
    if (!isFirst && frame.separator.length > 0) parts.push(join.plain(frame.separator));
    isFirst = false;
    parts.push(join.packed(block));
    length += block.bytes.length;
    if (length < sliceBytes) continue;
    yield {bytes: Buffer.concat(parts), release: keepNothing};
    parts = [];
    length = 0;
  }
  parts.push(join.plain(Buffer.concat([frame.tail, around.behind])), join.end());
  counted(join.length);
  yield {bytes: Buffer.concat(parts), release: keepNothing};
}

type Block = PackedBlock<CachedObject>;

/** The blocks of a list, each known from before or made when it is asked for. */
async function* blocksOf(task: RequestTask, list: MemberList<CachedObject>, kept: KeptBlocks): AsyncGenerator<Block, void, void> {
  const {items} = list;
  let packer: Packer | undefined;
  try {
    for (let next = 0; next < items.length;) {
      const turn = task.yieldIfDue();
      if (turn) await turn;
      const block = knownBlock(items, next, kept) ?? (await newBlock(task, list, next, kept, (packer ??= new Packer())));
      yield block;
      next += block.members.length;
    }
  } finally {
    packer?.close();
  }
}

/** A block that was made before, if all its members are still shown as they are stored. */
function knownBlock(items: readonly CachedObject[], from: number, {blocks, isStored}: KeptBlocks): Block | undefined {
  const block = blocks.find(items, from);
  return block?.members.every(isStored) ? block : undefined;
}

async function newBlock(
  task: RequestTask,
  list: MemberList<CachedObject>,
  from: number,
  {blocks, isStored}: KeptBlocks,
  packer: Packer,
): Promise<Block> {
  const {items, frame, itemsBetweenLooks} = list;
  const {separator, skip = 0} = frame;
  const made: Buffer[] = [];
  let length = 0;
  let next = from;
  for (; next < items.length && length < blockBytes; next += 1) {
    if (length >= leastBlockBytes && blocks.find(items, next)) break;
    if (next % itemsBetweenLooks === 0) {
      const turn = task.yieldIfDue();
      if (turn) await turn;
    }
    const item = frame.item(items[next]!, task);
    const member = item instanceof Promise ? await item : item;
    made.push(member);
    length += member.length - skip;
    if (next > from) length += separator.length;
  }
  const members = items.slice(from, next);
  const {bytes, release} = joinParts({...partsOf(made), skip, separator}, length);
  const block = {members, ...(await packer.pack(bytes))};
  release();
  if (members.every(isStored)) blocks.add(block);
  return block;
}
