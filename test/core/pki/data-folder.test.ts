import test from 'ava';
import {chmod, mkdir, readdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../helpers/temp-folder.js';

/** Paths below a folder, and the folder itself, that others than their owner may use in any way. */
async function open(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of ['.', ...(await readdir(folder, {recursive: true}))]) {
    // Files that are being written have another name until they are whole.
    const status = await stat(join(folder, name)).catch(() => undefined);
    const mode = (status?.mode ?? 0) & 0o777;
    if ((mode & 0o077) !== 0) found.push(`${name} ${mode.toString(8)}`);
  }
  return found;
}

test('everything in a new data folder is for its owner alone', async (t) => {
  const dataDir = join(tempFolder(t), 'data');
  const server = await startTestServer({store: 'embedded', dataDir});
  t.teardown(() => server.stop());
  t.deepEqual(await open(dataDir), []);
  await server.stop();
  t.deepEqual(await open(dataDir), []);
});

test('a data folder that others could read is closed to them at the next start; files of others in it stay as they are', async (t) => {
  const dataDir = tempFolder(t);
  await (await startTestServer({store: 'embedded', dataDir})).stop();
  for (const name of ['.', ...(await readdir(dataDir, {recursive: true}))]) {
    const path = join(dataDir, name);
    await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644);
  }
  await mkdir(join(dataDir, 'backup'));
  await chmod(join(dataDir, 'backup'), 0o755);
  await writeFile(join(dataDir, 'backup', 'notes.txt'), 'not ours');
  await chmod(join(dataDir, 'backup', 'notes.txt'), 0o644);
  const server = await startTestServer({store: 'embedded', dataDir});
  t.teardown(() => server.stop());
  t.deepEqual((await open(dataDir)).sort(), ['backup 755', 'backup/notes.txt 644']);
  await server.stop();
});
