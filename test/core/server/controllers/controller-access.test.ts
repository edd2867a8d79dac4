import test from 'ava';
import {once} from 'node:events';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {AuthorizationAttributes} from '../../../../sdk/index.js';
import {ControllerAccess} from '../../../../core/server/controllers/controller-access.js';
import {silentLogger} from '../../../../core/server/silent-logger.js';

const user = {username: 'system:plugin:rooms', groups: []};
const attributes = {user, verb: 'list', group: '', resource: 'pods', namespace: '', name: '', subresource: ''};

test.serial('an authorizer that fails later, when it is asked what can be said at once, does not end the server', async (t) => {
  const unhandled = once(process, 'unhandledRejection', {signal: AbortSignal.timeout(10_000)}).catch(() => undefined);
  for (const informers of [undefined, user]) {
    const access = new ControllerAccess({
      holder: {kind: 'plugin', name: 'rooms'},
      decide: () => Promise.reject(new Error('it cannot be reached')),
      informers,
      isOpen: () => false,
      logger: silentLogger,
    });
    t.false(access.allowsNow(attributes as unknown as AuthorizationAttributes));
    await t.throwsAsync(async () => access.require(attributes as unknown as AuthorizationAttributes), {message: 'it cannot be reached'});
  }
  // Such rejections are told once the promises of a turn have run.
  t.is(await Promise.race([unhandled, nextTurn().then(() => nextTurn('none'))]), 'none');
});
