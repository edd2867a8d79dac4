import test from 'ava';
import {byFile, profileText} from './profile-text.js';

const time = [
  {name: 'walk', file: 'core/a.ts', line: 3, own: 600},
  {name: 'parse', file: '[v8]', line: 0, own: 500},
  {name: 'look', file: 'core/a.ts', line: 9, own: 100},
];

test('a profile names files by what their functions take together', (t) => {
  t.deepEqual(byFile(time), [
    ['core/a.ts', 700],
    ['[v8]', 500],
  ]);
});

test('a profile says what each operation takes, and which part of all that is', (t) => {
  const text = profileText({operations: {time: 10, allocation: 2}, time, allocation: time.slice(0, 1)});
  t.regex(text, /^core\/a\.ts +70\.0 +58\.3 %$/m);
  t.regex(text, /^walk {2}core\/a\.ts:3 +300\.0 +100\.0 %$/m);
});
