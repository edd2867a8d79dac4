import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {readTokenFile} from '../../../plugins/authenticators/token-file/read-token-file.js';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder, type Teardown} from '../../helpers/temp-folder.js';
import {strangerClient} from '../../helpers/user-client.js';
import {holderOf, statusWith} from './identity.js';

function tokenFile(t: Teardown, ...lines: readonly string[]): string {
  const file = join(tempFolder(t), 'tokens.csv');
  writeFileSync(file, lines.join('\n'));
  return file;
}

test('a token from --token-auth-file authenticates as the user, uid and groups of its line; of two lines with it the last counts', async (t) => {
  const file = tokenFile(
    t,
    'secret-1,ursula,u-1,"authors,readers"',
    '',
    'secret-2,"Doe, ""J""",,one\r',
    'secret-3,first,1',
    'secret-3,last,2,',
  );
  const server = await startTestServer({flags: {'token-auth-file': file}});
  t.teardown(() => server.stop());
  t.deepEqual(await holderOf(server, 'secret-1'), {username: 'ursula', uid: 'u-1', groups: ['authors', 'readers', 'system:authenticated']});
  t.deepEqual(await holderOf(server, 'secret-2'), {username: 'Doe, "J"', groups: ['one', 'system:authenticated']});
  t.is((await holderOf(server, 'secret-3')).username, 'last');
  const client = await strangerClient(t, server);
  t.is(await statusWith(client, 'secret-1'), 200);
  t.is(await statusWith(client, 'secret-4'), 401);
});

const wrong: readonly [string, RegExp][] = [
  ['a,b', /line 2: there must be at least a token, a user name and a uid$/],
  [',b,c', /line 2: the token is empty$/],
  ['a,,c', /line 2: the user name is empty$/],
  ['a b,c,d', /line 2: a token with blanks cannot be sent$/],
  ['a,"b,c', /line 2: a quotation mark is missing or out of place$/],
  ['a,b"c,d', /line 2: a quotation mark is missing or out of place$/],
];
for (const [line, message] of wrong) {
  test(`a line ${JSON.stringify(line)} is refused with its number, without its token`, (t) => {
    const error = t.throws(() => readTokenFile(tokenFile(t, 'good,user,uid', line)), {message});
    t.false(error.message.includes('good'));
  });
}

test('a token file that is missing keeps the server from starting', async (t) => {
  await t.throwsAsync(startTestServer({flags: {'token-auth-file': '/nowhere/tokens.csv'}}), {
    message: /--token-auth-file: .*cannot be read: ENOENT/,
  });
});
