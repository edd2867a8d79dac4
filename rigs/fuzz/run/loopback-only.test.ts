import {fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import test from 'ava';

test('a process that stays on loopback connects to no other address and asks for no other name', async (t) => {
  const child = fork(fileURLToPath(new URL('./loopback-only-probe.js', import.meta.url)));
  const [found] = (await once(child, 'message')) as [Record<string, string>];
  t.deepEqual(found, {
    '127.0.0.1': 'ECONNREFUSED',
    localhost: 'ECONNREFUSED',
    '192.0.2.1': 'EHOSTUNREACH',
    '2001:db8::1': 'EHOSTUNREACH',
    'service.default.svc': 'ENOTFOUND',
    'https 192.0.2.1': 'EHOSTUNREACH',
    'https service.default.svc': 'ENOTFOUND',
  });
});
