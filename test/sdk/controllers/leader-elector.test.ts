import test from 'ava';
import {LeaderElector} from '../../../sdk/controllers/index.js';
import {MemoryResources} from '../../plugins/memory-resources.js';
import {recordingLogger} from '../../helpers/recording-logger.js';

const times = {leaseMillis: 15_000, renewDeadlineMillis: 10_000, retryMillis: 2000};
const leases = {group: 'coordination.orch', version: 'v1', resource: 'leases', kind: 'Lease', namespaced: true, verbs: ['list', 'watch']};
const leaseRef = {group: 'coordination.orch', version: 'v1', resource: 'leases'};
const holder = async (resources: MemoryResources) =>
  ((await resources.get(leaseRef, 'system', 'leader')) as {spec?: {holderIdentity?: string}}).spec?.holderIdentity ?? '';

/** A candidate whose fence waits until it is told to stand. */
function candidate() {
  const resources = new MemoryResources([leases]);
  let raised = () => {};
  let stands = () => {};
  const asked = new Promise<void>((resolve) => (raised = resolve));
  const standing = new Promise<void>((resolve) => (stands = resolve));
  const terms: string[] = [];
  const elector = new LeaderElector({
    resources,
    namespace: 'system',
    name: 'leader',
    identity: 'one',
    times,
    logger: recordingLogger().logger,
    fencing: {
      raise: async () => {
        raised();
        await standing;
        return true;
      },
    },
    onStart: () => void terms.push('begun'),
    onEnd: async () => void terms.push('ended'),
  });
  return {resources, elector, terms, asked, stands: () => stands()};
}

test('a candidate that holds the lease and its fence leads, and gives both up when it is stopped', async (t) => {
  const {resources, elector, terms, stands} = candidate();
  stands();
  await elector.start();
  t.deepEqual(terms, ['begun']);
  t.is(await holder(resources), 'one');
  await elector.stop();
  t.deepEqual(terms, ['begun', 'ended']);
  t.is(await holder(resources), '');
});

test('a candidate that is stopped while it raises its fence never leads, and releases the lease', async (t) => {
  const {resources, elector, terms, asked, stands} = candidate();
  const started = elector.start();
  await asked;
  const stopped = elector.stop();
  stands();
  await Promise.all([started, stopped]);
  t.deepEqual(terms, []);
  t.is(await holder(resources), '');
});
