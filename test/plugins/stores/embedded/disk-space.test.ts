import test from 'ava';
import {StoreError} from '@orch-api/orch/sdk';
import {requireSpace} from '../../../../plugins/stores/embedded/disk-space.js';
import {tempFolder} from '../../../helpers/temp-folder.js';

test('a write that the disk has no room for is refused before it begins, with what it needs', (t) => {
  const folder = tempFolder(t);
  t.notThrows(() => requireSpace(folder, 1000, 10));
  for (const [bytes, removals] of [
    [2 ** 50, 0],
    [0, 2 ** 40],
  ] as const) {
    const error: unknown = t.throws(() => requireSpace(folder, bytes, removals), {code: 'Unavailable'});
    if (!StoreError.is(error)) return t.fail(String(error));
    t.false(error.indeterminate);
    t.regex(error.message, new RegExp(`^No space left on device: ${folder} needs \\d+ MiB$`));
  }
});
