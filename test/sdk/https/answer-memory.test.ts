import {once} from 'node:events';
import test from 'ava';
import {AnswerMemory, answerMemory, freeBytes} from '../../../sdk/https/answer-memory.js';
import {HttpsClient, parseAnswer, placeOf} from '../../../sdk/https/index.js';
import {until} from '../../helpers/eventually.js';
import {webhookService} from '../../helpers/webhook-service.js';

const never = new AbortController().signal;

test('memory for answers is taken in turn, and who gives up waiting leaves the others theirs', async (t) => {
  const memory = new AnswerMemory(100);
  const [first, second] = [await memory.take(60, never), await memory.take(40, never)];
  t.is(memory.used, 100);
  const given: string[] = [];
  const abort = new AbortController();
  const third = memory.take(50, abort.signal);
  const fourth = memory.take(10, never).then((release) => (given.push('fourth'), release));
  const fifth = memory.take(500, never).then((release) => (given.push('fifth'), release));
  second();
  await Promise.resolve();
  t.deepEqual(given, [], 'a small one does not overtake');
  abort.abort(new Error('over'));
  await t.throwsAsync(third, {message: 'over'});
  first();
  (await fourth)();
  t.deepEqual(given, ['fourth']);
  (await fifth)();
  t.deepEqual([given, memory.used], [['fourth', 'fifth'], 0], 'one has room however large it is');
  await t.throwsAsync(memory.take(1, AbortSignal.abort(new Error('late'))), {message: 'late'});
});

test('large answers are read one in a turn of the event loop', async (t) => {
  const memory = new AnswerMemory(100);
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const turns = await Promise.all(Array.from({length: 5}, () => memory.ownTurn().then(() => turn)));
  isOver = true;
  t.is(new Set(turns).size, 5);
});

test.serial('of large answers no more are received at once than there is memory for; small ones do not wait', async (t) => {
  const mebi = 1024 * 1024;
  const size = 2 * mebi;
  const held: (() => void)[] = [];
  const service = await webhookService(t, (_body, response, {url}) => {
    if (url === '/small') return void response.end('{}');
    const text = `{"a":"${'x'.repeat(size)}"}`;
    response.writeHead(200, {'content-length': text.length});
    response.write(text.slice(0, size));
    held.push(() => response.end(text.slice(size)));
  });
  answerMemory.total = 5 * mebi;
  t.teardown(() => (answerMemory.total = 64 * mebi));
  const client = new HttpsClient();
  t.teardown(() => client.close());
  const ask = (path: string, signal = never) =>
    client.send({...placeOf(`${service.url}${path}`), tls: {caBundle: service.ca}, headers: {}, maximumBytes: 3 * mebi, signal});
  const abort = new AbortController();
  const answers = [ask('/1'), ask('/2')];
  await until('two are being received', () => answerMemory.used > 4 * mebi);
  const others = [ask('/3'), ask('/4')];
  const late = ask('/5', abort.signal);
  await until('all are being answered', () => held.length === 5);
  t.deepEqual(await ask('/small'), {});
  t.true(answerMemory.used <= 5 * mebi);
  abort.abort(new Error('over'));
  await t.throwsAsync(late, {message: 'over'});
  for (const end of held) end();
  for (const answer of await Promise.all([...answers, ...others])) t.is((answer['a'] as string).length, size);
  t.is(answerMemory.used, 0);
});

test.serial('what fails while it is received or read gives its memory back', async (t) => {
  const big = 'x'.repeat(4 * freeBytes);
  const service = await webhookService(t, async (_body, response, {url}) => {
    if (url === '/values') return void response.end(`{"a":[${'0,'.repeat(150_000)}0]}`);
    if (url === '/patience') return void response.write(big);
    if (url === '/none') return void response.end(big);
    if (url === '/announced') response.writeHead(200, {'content-length': 100_000_000});
    response.write(big);
    if (url !== '/breaks') return;
    await once(response, 'drain').catch(() => undefined);
    response.destroy();
  });
  const client = new HttpsClient();
  t.teardown(() => client.close());
  const ask = (path: string, signal = never) =>
    client.send({...placeOf(`${service.url}${path}`), tls: {caBundle: service.ca}, headers: {}, maximumBytes: 1024 * 1024, signal});
  await t.throwsAsync(ask('/values'), {message: 'the answer has more than 150000 values'});
  await t.throwsAsync(ask('/none'), {message: 'the answer is not JSON'});
  await t.throwsAsync(ask('/announced'), {message: 'the answer is larger than 1048576 bytes'});
  await t.throwsAsync(ask('/breaks'), {message: /broke off/});
  await t.throwsAsync(ask('/patience', AbortSignal.timeout(300)), {name: 'TimeoutError'});
  t.is(answerMemory.used, 0);
});

test('an answer has as many values as a request body may: whatever the shape, reading it takes no more than a turn may', (t) => {
  const shapes = {
    members: `{${Array.from({length: 149_000}, (_, number) => `"k${number}":0`).join()}}`,
    objects: `[${Array.from({length: 74_000}, (_, number) => `{"k${number}":0}`).join()}]`,
    empty: `[${'{},'.repeat(74_000)}{}]`,
  };
  for (const [name, text] of Object.entries(shapes)) {
    t.notThrows(() => parseAnswer(Buffer.from(text)), name);
    const [open, close] = [text[0]!, text.at(-1)!];
    const twice = open === '{' ? `{"a":${text},"b":${text}}` : `${open}${text},${text}${close}`;
    t.throws(() => parseAnswer(Buffer.from(twice)), {message: 'the answer has more than 150000 values'}, name);
  }
});
