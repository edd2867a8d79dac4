import test from 'ava';
import {createServer, type Server} from '../../../../core/server/index.js';
import {LocalClient} from '../../../../core/registry/local/local-client.js';
import {orch} from '../../../../core/api/naming/orch.js';
import {MetricRegistry} from '../../../../core/metrics/metric-registry.js';
import {CleaningController} from '../../../../plugins/controllers/certificate-signing/plugin.js';
import {signingRequests, type SigningRequest} from '../../../../plugins/families/certificates/request-object.js';
import {isConflict, isNotFound} from '../../../../sdk/index.js';
import {eventually} from '../../../helpers/eventually.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {SetClock} from '../../../helpers/set-clock.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {keyedRequest} from './requests.js';

const hour = 3_600_000;

test('[A-CSRST-11] a pending request is removed after 24 hours, and not before; one that is denied on the last minute stays an hour, and one that is approved and that nobody signs a day', async (t) => {
  const server: Server = await createServer({store: 'memory', securePort: 0, dataDir: tempFolder(t), controllers: ['namespace']});
  t.teardown(() => server.stop());
  await server.start();
  const resources = new LocalClient({username: 'test', groups: ['system:masters', 'system:authenticated']}, orch, {
    registry: server.registry!,
  });
  const {request} = await keyedRequest([{CN: ['jo']}]);
  const make = async (name: string) => {
    const spec = {request, signerName: 'example.com/own', usages: ['client auth']};
    return (await resources.create(signingRequests, '', {metadata: {name}, spec} as SigningRequest)) as SigningRequest;
  };
  const decide = (found: SigningRequest, type: 'Approved' | 'Denied', time: number) => {
    const conditions = [{type, status: 'True', lastUpdateTime: new Date(time).toISOString().replace(/\.\d+/, '')}];
    return resources.update(signingRequests, '', {...found, status: {conditions}} as SigningRequest, 'approval');
  };
  /** What is left once a request that is due has been removed: those that were due before are gone by then. */
  const left = async () => {
    const due = await make('due');
    // Late on it is removed for its age already.
    await decide(due, 'Denied', made - 2 * hour).catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
    await eventually(names, (all) => !all.includes('due'));
    return names();
  };
  const names = async () => (await resources.list(signingRequests, '')).items.map(({metadata}) => metadata.name!);

  const waiting = await make('waiting');
  const decided = await make('decided');
  const unsigned = await make('unsigned');
  const made = Date.parse(waiting.metadata.creationTimestamp!);
  const clock = new SetClock(made);
  const {logger, lines} = recordingLogger();
  const cleaner = new CleaningController(resources, orch, logger, new MetricRegistry(), clock);
  const abort = new AbortController();
  t.teardown(() => {
    abort.abort();
    return cleaner.stop();
  });
  await cleaner.start(abort.signal);
  await eventually(
    () => clock.sleepers,
    (sleepers) => sleepers === 1,
  );

  clock.set(made + 24 * hour - 60_000);
  await decide(decided, 'Denied', clock.now());
  await decide(unsigned, 'Approved', clock.now());
  // Seen by the cleaner as well: changes come in order.
  const later = await make('later');
  clock.set(made + 24 * hour);
  t.deepEqual(await left(), ['decided', 'later', 'unsigned', 'waiting']);
  clock.set(Date.parse(later.metadata.creationTimestamp!) + 24 * hour + 1000);
  await eventually(names, (all) => all.join() === 'decided,unsigned');
  clock.set(made + 25 * hour - 60_000);
  t.deepEqual(await left(), ['decided', 'unsigned']);
  clock.set(made + 25 * hour - 58_000);
  await eventually(names, (all) => all.join() === 'unsigned');
  clock.set(made + 48 * hour - 60_000);
  t.deepEqual(await left(), ['unsigned']);
  clock.set(made + 48 * hour - 58_000);
  await eventually(names, (all) => all.length === 0);
  await eventually(
    () => clock.sleepers,
    (sleepers) => sleepers <= 1,
  );
  t.deepEqual(lines, []);
});
