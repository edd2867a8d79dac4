import test from 'ava';
import {createServer, type ServerOptions} from '@orch-api/orch';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';

interface Line {
  readonly level: string;
  readonly msg: string;
}

/** The lines of a server that starts and stops. */
async function linesOf(dataDir: string, options: ServerOptions): Promise<string[]> {
  const lines: string[] = [];
  const server = await createServer({
    log: {write: (line: string) => lines.push(line)},
    store: 'memory',
    securePort: 0,
    dataDir,
    pluginProfile: 'minimal',
    ...options,
  });
  await server.start();
  await server.stop();
  return lines;
}

test('a program has the log of its server written to a stream, with the levels that it names', async (t) => {
  const folder = tempFolder(t, 'orch-log-');
  const lines = (await linesOf(folder, {})).map((line) => JSON.parse(line) as Line);
  t.true(lines.length > 0);
  t.true(lines.some(({level}) => level === 'info'));
  t.false(lines.some(({level}) => level === 'debug' || level === 'trace'));
  const all = (await linesOf(folder, {logLevel: 'trace'})).map((line) => JSON.parse(line) as Line);
  t.true(all.some(({level}) => level === 'debug'));
  t.deepEqual(await linesOf(folder, {configuration: {log: {level: 'silent'}}}), []);
  const [text] = await linesOf(folder, {configuration: {log: {format: 'text'}}});
  t.regex(text!, /^\d\d:\d\d:\d\d\.\d{3} INFO /);
});

test('a log of its own and one that the server makes exclude each other, and levels are checked', async (t) => {
  const {logger} = recordingLogger();
  await t.throwsAsync(createServer({log: true, logger}), {message: /^log and logger cannot be given together/});
  await t.throwsAsync(createServer({log: 'loud'}), {message: /^the log level .*loud/});
});
