import test from 'ava';
import {LimitLog} from '../../../../core/http/limits/limit-log.js';
import {eventually} from '../../../helpers/eventually.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';

test('the first event of a kind is logged at once, the others together with their number', async (t) => {
  const {logger, lines} = recordingLogger();
  const log = new LimitLog(logger, 50);
  for (let index = 0; index < 100; index++) log.acted('maxHeaders', 'a request was refused', {index});
  log.acted('maxConnections', 'a connection was refused', {});
  t.deepEqual(
    lines.map(({fields}) => fields),
    [{limit: 'maxHeaders', index: 0}, {limit: 'maxConnections'}],
  );
  await eventually(
    () => lines.length,
    (count) => count === 3,
  );
  t.deepEqual(lines[2]!.fields, {limit: 'maxHeaders', times: 99, latest: {index: 99}});
  t.is(lines[2]!.message, 'a limit acted: a request was refused');
  t.deepEqual(
    [...log.totals()],
    [
      ['maxHeaders', 100],
      ['maxConnections', 1],
    ],
  );
});
