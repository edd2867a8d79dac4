import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {LineWriter} from '../../../plugins/audit/log/line-writer.js';
import {RotatingFile} from '../../../plugins/audit/log/rotating-file.js';
import {timesOpened} from '../../helpers/opened-files.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';

test('lines that are being written when a file is closed are in it, and it stays closed', async (t) => {
  const path = join(tempFolder(t), 'audit.log');
  const {logger} = recordingLogger();
  const file = new RotatingFile({path, maximumBytes: 1_000_000, maximumBackups: 0, maximumDays: 0, compress: false, logger});
  const writer = new LineWriter(file);
  const written = writer.write(Buffer.from('one'));
  // The writer has taken the line and opens the file.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await writer.idle();
  await file.close();
  await written;
  t.is(readFileSync(path, 'utf8'), 'one\n');
  t.is(timesOpened(path), 0);
});
