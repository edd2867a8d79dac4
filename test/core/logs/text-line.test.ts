import test from 'ava';
import {errorText} from '../../../core/cli/error-text.js';
import {textLine} from '../../../core/logs/text-line.js';

test('a line of log for reading has time, level, message and fields', (t) => {
  const line = JSON.stringify({
    level: 'info',
    time: '2024-05-06T10:15:30.123Z',
    plugin: 'core',
    url: 'https://x',
    note: 'two words',
    n: 3,
    msg: 'ready',
  });
  t.is(textLine(line), '10:15:30.123 INFO  ready  plugin=core url=https://x note="two words" n=3\n');
  t.is(textLine(JSON.stringify({level: 'warn', time: '2024-05-06T10:15:30.123Z', msg: 'plain'})), '10:15:30.123 WARN  plain\n');
});

test('a logged exception stands below its line with its stack', (t) => {
  const line = JSON.stringify({
    level: 'error',
    time: '2024-05-06T10:15:30.123Z',
    msg: 'failed',
    err: {message: 'no', stack: 'Error: no\n    at x'},
  });
  t.is(textLine(line), '10:15:30.123 ERROR failed\n    Error: no\n        at x\n');
});

test('errors of the system are told in words', (t) => {
  const system = (code: string, more: object) => Object.assign(new Error(`${code}: x`), {code, syscall: 'x', ...more});
  t.is(
    errorText(system('EADDRINUSE', {address: '127.0.0.1', port: 6443})),
    'the address 127.0.0.1:6443 is in use; choose another port with --secure-port',
  );
  t.is(
    errorText(system('EACCES', {address: '0.0.0.0', port: 443})),
    'listening on 0.0.0.0:443 is not allowed; choose another port with --secure-port',
  );
  t.is(errorText(system('EACCES', {path: '/x'})), 'access to /x is denied');
  t.is(errorText(system('EADDRNOTAVAIL', {address: '1.2.3.4'})), 'this machine has no address 1.2.3.4; choose another with --bind-address');
  t.is(errorText(Object.assign(new Error('own words'), {code: 'ENOENT'})), 'own words');
  t.is(errorText(new RangeError('')), 'RangeError');
  t.is(errorText('text'), 'text');
});
