import {rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import test from 'ava';
import {LineageFile, lineagePath} from '../../../sdk/stores/index.js';
import {temporaryDirectory} from '../../helpers/store-embedded.js';

const seen = {store: 'a', epoch: 'e', revision: 7, commit: 'c', at: 1};

test('what was seen of a store is in the file, whose folder is made when it is not there', async (t) => {
  const path = lineagePath(await temporaryDirectory(t), 'somewhere');
  const file = await LineageFile.open(path, 'somewhere');
  t.is(file.get(0), undefined);
  file.note(0, seen);
  await file.flush();
  t.deepEqual((await LineageFile.open(path, 'somewhere')).get(0), seen);
  await rm(dirname(path), {recursive: true});
  file.note(0, {...seen, revision: 8});
  await file.flush();
  await file.close();
  t.is((await LineageFile.open(path, 'somewhere')).get(0)?.revision, 8);
});

test('a file that is to be written while it is being written has what was noted last', async (t) => {
  const path = lineagePath(await temporaryDirectory(t), 'somewhere');
  const file = await LineageFile.open(path, 'somewhere', (error) => t.fail(error.message));
  const writes: Promise<void>[] = [];
  for (let revision = 1; revision <= 20; revision++) {
    file.note(0, {...seen, revision});
    writes.push(file.flush());
  }
  await Promise.all(writes);
  await file.close();
  t.is((await LineageFile.open(path, 'somewhere')).get(0)?.revision, 20);
});
