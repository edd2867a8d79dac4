import test from 'ava';
import {StatusError, StoreError, type StatusReason} from '../../../sdk/index.js';
import {toStatusError, toWatchStatus} from '../../../core/registry/store-errors.js';
import {StorageError, type StorageFailure} from '../../../core/storage/storage-error.js';

const target = {group: 'apps', resource: 'deployments', name: 'web'};

const failures: readonly [StorageFailure, number, StatusReason, RegExp][] = [
  [{code: 'FutureRevision', requested: 9, current: 4}, 504, 'Timeout', /^Timeout: Too large resource version: 9, current: 4$/],
  [{code: 'ListTooOld', requested: 2, oldest: 4}, 410, 'Expired', /too old to list: 2 \(oldest available: 4\)$/],
  [{code: 'WatchTooOld', requested: 2, oldest: 4}, 410, 'Expired', /^too old resource version: 2 \(4\)$/],
  [{code: 'WatchTooSlow'}, 410, 'Expired', /did not read events as fast/],
  [{code: 'HistoryLost'}, 410, 'Expired', /history of this resource was lost/],
  [
    {code: 'InvalidContinue', problem: 'it cannot be decoded'},
    400,
    'BadRequest',
    /^invalid continue token: continue key is not valid: it cannot be decoded$/,
  ],
  [{code: 'ExpiredContinue', continueToken: 'abc'}, 410, 'Expired', /^The provided continue parameter is too old/],
  [{code: 'NotServed'}, 404, 'NotFound', /could not find the requested resource/],
];

for (const [failure, code, reason, message] of failures) {
  test(`${failure.code} of storage becomes a Status ${code} ${reason}`, (t) => {
    const error = toStatusError(new StorageError(failure), target);
    if (!StatusError.is(error)) return t.fail(String(error));
    t.is(error.code, code);
    t.is(error.reason, reason);
    t.regex(error.message, message);
    t.deepEqual(toWatchStatus(new StorageError(failure)), error.toStatus(), 'the last event of a watch says the same');
  });
}

test('an expired continue token comes with one that goes on', (t) => {
  t.is(toWatchStatus(new StorageError({code: 'ExpiredContinue', continueToken: 'abc'})).metadata.continue, 'abc');
});

test('an error of a store names the object', (t) => {
  const error = toStatusError(new StoreError('Missing', 'no such key'), target);
  t.true(StatusError.is(error) && error.code === 404 && error.message.includes('"web"'), String(error));
});

test('other errors pass unchanged, and end a watch with a 500 that tells nothing of them', (t) => {
  const bug = new TypeError('x is not a function');
  t.is(toStatusError(bug, target), bug);
  const status = toWatchStatus(bug);
  t.is(status.code, 500);
  t.false(status.message!.includes('function'), status.message!);
});

test('no outcome that is unknown comes with a time to try again, whatever the code of the error', (t) => {
  for (const code of ['Unavailable', 'EpochChanged', 'Closed'] as const) {
    const error = toStatusError(new StoreError(code, 'gone', {indeterminate: true}), target);
    if (!StatusError.is(error)) return t.fail(String(error));
    t.is(error.code, 504, code);
    t.is(error.toStatus().details?.retryAfterSeconds, undefined, code);
  }
});

test('a history that is replaced or cut during a request is no fault of its version: 503, to be tried again; a watch ends with 410', (t) => {
  for (const code of ['EpochChanged', 'Compacted'] as const) {
    const error = toStatusError(new StoreError(code, 'the log was cut'), target);
    if (!StatusError.is(error)) return t.fail(String(error));
    t.is(error.code, 503, code);
    t.is(error.toStatus().details?.retryAfterSeconds, 1, code);
    t.is(toWatchStatus(new StoreError(code, 'the log was cut')).code, 410, code);
  }
});
