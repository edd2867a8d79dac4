import test from 'ava';
import {resolveLimits} from '../../../core/http/limits/resolve-limits.js';
import {sharedLimits} from '../../../core/workers/shared-limits.js';

test('what counts over the whole server is divided among its processes, what is for one request is not', (t) => {
  const limits = resolveLimits({
    maxConnections: 1001,
    maxRequestsInflight: 0,
    maxHeaders: 50,
    maxBodyBytes: '1Mi',
    maxBodyBytesInAll: '16Mi',
  });
  const shared = sharedLimits(limits, 4);
  t.is(shared.maxConnections, 251);
  t.is(shared.maxRequestsInflight, 0, 'unlimited stays so');
  t.is(shared.maxHeaders, 50);
  t.is(shared.maxBodyBytes, 1024 * 1024);
  t.is(shared.maxBodyBytesInAll, 4 * 1024 * 1024);
  t.is(sharedLimits(limits, 64).maxBodyBytesInAll, 1024 * 1024, 'one body is taken however many processes there are');
  t.deepEqual(sharedLimits(limits, 1), limits);
});
