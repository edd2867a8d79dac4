import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {RequestTask} from '../../registry/request-task.js';
import {GzipJoin, Packer} from '../response/gzip-join.js';
import {joinParts, partsOf, type BodySlice} from '../response/response-buffers.js';
import {sliceBytes} from '../response/send-slices.js';
import type {MemberList} from './member-list.js';
import {PackedBlocks, type PackedBlock} from './packed-blocks.js';

/** A block ends behind the member that makes it so long: what one change in a list has to be compressed for. */
const blockBytes = 128 * 1024;
/** Shorter ones are not left between what changed and the next block that is known: a list in which much is made would be crumbs at last. */
const leastBlockBytes = blockBytes / 4;

/** Of all lists: states of objects are the same for whoever asks. */
const blocks = new PackedBlocks<CachedObject>();

const keepNothing = () => undefined;

/** A list of stored objects in the form of gzip, in slices. What was compressed for a list before is taken from it. @param counted gets the length of the list */
export async function* packedList(
  task: RequestTask,
  list: MemberList<CachedObject>,
  counted: (length: number) => void,
): AsyncGenerator<BodySlice, void, void> {
  const {items, frame} = list;
  const join = new GzipJoin();
  let parts = [join.begin(), join.plain(frame.head)];
  let length = 0;
  let packer: Packer | undefined;
  try {
    for (let next = 0; next < items.length;) {
      const turn = task.yieldIfDue();
      if (turn) await turn;
      const block = knownBlock(list, next) ?? (await newBlock(task, list, next, (packer ??= new Packer())));
      if (next > 0) parts.push(join.plain(frame.separator));
      parts.push(join.packed(block));
      length += block.bytes.length;
      next += block.members.length;
      if (length < sliceBytes) continue;
      yield {bytes: Buffer.concat(parts), release: keepNothing};
      parts = [];
      length = 0;
    }
  } finally {
    packer?.close();
  }
  parts.push(join.plain(frame.tail), join.end());
  counted(join.length);
  yield {bytes: Buffer.concat(parts), release: keepNothing};
}

/** A block that was made before, if all its members are still shown as they are stored. */
function knownBlock({items, isShownAsStored}: MemberList<CachedObject>, from: number): PackedBlock<CachedObject> | undefined {
  const block = blocks.find(items, from);
  return block && isShownAsStored && block.members.every(isShownAsStored) ? block : undefined;
}

async function newBlock(
  task: RequestTask,
  list: MemberList<CachedObject>,
  from: number,
  packer: Packer,
): Promise<PackedBlock<CachedObject>> {
  const {items, frame, isShownAsStored} = list;
  const {separator, skip = 0} = frame;
  const made: Buffer[] = [];
  let length = 0;
  let next = from;
  for (; next < items.length && length < blockBytes; next += 1) {
    if (length >= leastBlockBytes && blocks.find(items, next)) break;
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
  if (isShownAsStored && members.every(isShownAsStored)) blocks.add(block);
  return block;
}
