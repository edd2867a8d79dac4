import test from 'ava';
import {PackedBlocks, type PackedBlock} from '../../../../core/http/representation/packed-blocks.js';

const member = (name: string) => ({name});
type Member = ReturnType<typeof member>;
const items = Array.from({length: 12}, (_, index) => member(`item ${index}`));

function block(members: readonly Member[], bytes = 100): PackedBlock<Member> {
  return {members, bytes: Buffer.alloc(bytes), length: bytes, crc: 0, shift: 0};
}

test('a block is found where its members follow each other, and nowhere else', (t) => {
  const blocks = new PackedBlocks<Member>(24 * 1024 * 1024);
  const made = block(items.slice(2, 5));
  blocks.add(made);
  t.is(blocks.find(items, 2), made);
  t.is(blocks.find(items.slice(1, 5), 1), made);
  t.is(blocks.find(items, 3), undefined);
  t.is(blocks.find(items.slice(0, 4), 2), undefined, 'the list ends within the block');
  t.is(blocks.find(items.with(4, member('item 4')), 2), undefined, 'a member has changed');
  t.is(blocks.find(items.toSpliced(3, 0, member('new')), 2), undefined, 'a member has come between');
  t.is(blocks.find(items.toSpliced(3, 1), 2), undefined, 'a member has gone');
});

test('a block takes the place of one with the same first member', (t) => {
  const blocks = new PackedBlocks<Member>(24 * 1024 * 1024);
  blocks.add(block(items.slice(0, 3)));
  const longer = block(items.slice(0, 5), 200);
  blocks.add(longer);
  t.is(blocks.find(items, 0), longer);
  t.is(blocks.bytes, 400);
});

test('all blocks together have a bound, and what was used last is kept', (t) => {
  const blocks = new PackedBlocks<Member>(1_000);
  for (let index = 0; index < 5; index += 1) blocks.add(block([items[index]!]));
  t.is(blocks.bytes, 1_000);
  t.truthy(blocks.find(items, 0));
  blocks.add(block([items[5]!]));
  t.is(blocks.bytes, 1_000);
  t.truthy(blocks.find(items, 0), 'asked for last');
  t.is(blocks.find(items, 1), undefined, 'the oldest');
});

test('a block that would take the place of many is not kept', (t) => {
  const blocks = new PackedBlocks<Member>(24 * 1024 * 1024);
  blocks.add(block(items, 600 * 1024));
  t.is(blocks.bytes, 0);
});
