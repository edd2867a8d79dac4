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
