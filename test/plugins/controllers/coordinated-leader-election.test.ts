import type {TestServer} from '@orch-api/orch/testing';
import {microTime} from '../../../sdk/index.js';
import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';
import {until} from '../../helpers/eventually.js';

const storeTest = testOnEachStore({
  platform: 'kubernetes',
  release: '1.36',
  featureGates: {CoordinatedLeaderElection: true},
  runtimeConfig: {'coordination.k8s.io/v1beta1': true},
  controllers: ['leader-election'],
});

const oldest = 'OldestEmulationVersion';

interface Lease {
  readonly metadata: {readonly resourceVersion: string};
  readonly spec: {
    readonly holderIdentity?: string;
    readonly preferredHolder?: string;
    readonly strategy?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
  };
}
interface Candidate {
  readonly spec: {readonly pingTime?: string; readonly renewTime?: string};
}

/** What a test does in the place of processes. Their clock goes as that of the server does, which is the test's own. */
class Processes {
  #ahead = 0;
  /** Those that run, and answer when they are asked. */
  readonly #running = new Set<string>();
  readonly #server: TestServer;

  private constructor(server: TestServer) {
    this.#server = server;
  }

  static async start({start}: StoreContext): Promise<Processes> {
    return new Processes(await start());
  }

  get #client() {
    return this.#server.client;
  }

  now(): string {
    return microTime(Date.now() + this.#ahead);
  }

  async advance(milliseconds: number): Promise<void> {
    this.#ahead += milliseconds;
    await this.#server.advance(milliseconds);
  }

  candidatePath(name = ''): string {
    return `/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates${name === '' ? '' : `/${name}`}`;
  }

  leasePath(name: string): string {
    return `/apis/coordination.k8s.io/v1/namespaces/default/leases/${name}`;
  }

  /** A process that says that it is there. */
  async nominate(name: string, leaseName: string, binaryVersion: string, emulationVersion: string, strategy = oldest): Promise<void> {
    const spec = {leaseName, binaryVersion, emulationVersion, strategy, renewTime: this.now()};
    const made = await this.#client.post(this.candidatePath(), {metadata: {name}, spec});
    if (made.status !== 201) throw new Error(made.body.toString());
    this.#running.add(name);
  }

  /** A process ends without a word. */
  end(name: string): void {
    this.#running.delete(name);
  }

  async candidate(name: string): Promise<Candidate | undefined> {
    const found = await this.#client.get(this.candidatePath(name));
    return found.status === 200 ? found.json<Candidate>() : undefined;
  }

  /** A process says that it is there. */
  async answer(name: string): Promise<void> {
    await this.#client.patch(this.candidatePath(name), {spec: {renewTime: this.now()}});
  }

  /** Processes that were asked answer. */
  async #answer(): Promise<void> {
    for (const name of this.#running) {
      const {pingTime = '', renewTime = ''} = (await this.candidate(name))?.spec ?? {};
      if (pingTime > renewTime) await this.answer(name);
    }
  }

  async lease(name: string): Promise<Lease | undefined> {
    const found = await this.#client.get(this.leasePath(name));
    return found.status === 200 ? found.json<Lease>() : undefined;
  }

  /** Waits until a lease is as wanted, while processes answer. */
  awaited(name: string, what: string, isWanted: (spec: Lease['spec']) => boolean): Promise<Lease> {
    return until(`${name} ${what}`, async () => {
      await this.#answer();
      const lease = await this.lease(name);
      return lease && isWanted(lease.spec) && lease;
    });
  }

  held(name: string, holder: string): Promise<Lease> {
    return this.awaited(name, `is held by ${holder}`, ({holderIdentity}) => holderIdentity === holder);
  }

  /** The holder says that it still is. */
  async renew(name: string, spec: object = {}): Promise<void> {
    const answer = await this.#client.patch(this.leasePath(name), {spec: {renewTime: this.now(), ...spec}});
    if (answer.status !== 200) throw new Error(answer.body.toString());
  }
}

storeTest('a lease with one candidate is made and held by it', async (t, context) => {
  const processes = await Processes.start(context);
  await processes.nominate('one', 'jobs', '1.20.0', '1.20.0');
  const {spec} = await processes.held('jobs', 'one');
  t.like(spec, {strategy: oldest, leaseDurationSeconds: 5});
  t.true(Date.parse(spec.renewTime!) <= Date.parse(processes.now()));
});

storeTest(
  'of several candidates that which behaves like the oldest release is preferred, then that of the oldest program',
  async (t, context) => {
    const processes = await Processes.start(context);
    await processes.nominate('young', 'jobs', '1.20.0', '1.20.0');
    await processes.held('jobs', 'young');
    await processes.nominate('emulating', 'jobs', '1.20.0', '1.19.0');
    const preferred = (name: string) => processes.awaited('jobs', `prefers ${name}`, ({preferredHolder}) => preferredHolder === name);
    await preferred('emulating');
    await processes.nominate('old', 'jobs', '1.19.0', '1.19.0');
    await preferred('old');
    const {spec} = (await processes.lease('jobs'))!;
    t.is(spec.holderIdentity, 'young', 'a holder that has the lease learns of it');

    // It leaves the lease: then whoever is preferred has it.
    await processes.renew('jobs', {holderIdentity: ''});
    t.is((await processes.held('jobs', 'old')).spec.preferredHolder, undefined);
  },
);

storeTest('a lease that has run out goes to a candidate that answers, though a better one there was does not', async (t, context) => {
  const processes = await Processes.start(context);
  await processes.nominate('gone', 'jobs', '1.19.0', '1.19.0');
  await processes.nominate('there', 'jobs', '1.20.0', '1.20.0');
  await processes.held('jobs', 'gone');
  processes.end('gone');
  await processes.advance(11_000);
  await until('it is asked', async () => (await processes.candidate('gone'))?.spec.pingTime !== undefined);
  await processes.held('jobs', 'there');
  const {pingTime = '', renewTime = ''} = (await processes.candidate('gone'))!.spec;
  t.true(pingTime > renewTime);
});

storeTest('where the newest program asks for a strategy of somebody else, the lease is made and left to that', async (t, context) => {
  const processes = await Processes.start(context);
  await processes.nominate('old', 'jobs', '1.19.0', '1.19.0', 'example.com/mine');
  await processes.nominate('new', 'jobs', '1.20.0', '1.19.0', 'example.com/mine');
  const {spec} = await processes.awaited('jobs', 'is there', () => true);
  t.like(spec, {strategy: 'example.com/mine', holderIdentity: undefined});
  await processes.renew('jobs', {holderIdentity: 'somebody'});
  await processes.nominate('another', 'jobs', '1.20.0', '1.18.0', 'example.com/mine');
  // A lease that is looked at later is chosen for: by then this one has been looked at.
  await processes.nominate('another2', 'later', '1.20.0', '1.18.0');
  await processes.held('later', 'another2');
  t.is((await processes.lease('jobs'))!.spec.holderIdentity, 'somebody');
  t.is((await processes.lease('jobs'))!.spec.preferredHolder, undefined);
});

storeTest('a candidate that has not shown a sign of life for half an hour is removed', async (t, context) => {
  const processes = await Processes.start(context);
  await processes.nominate('gone', 'jobs', '1.19.0', '1.19.0');
  await processes.held('jobs', 'gone');
  processes.end('gone');
  await processes.advance(29 * 60_000);
  await processes.answer('gone');
  await processes.advance(2 * 60_000);
  await processes.nominate('there', 'jobs', '1.20.0', '1.20.0');
  t.truthy(await processes.candidate('gone'));
  await processes.advance(20 * 60_000);
  await processes.answer('there');
  await processes.advance(20 * 60_000);
  await until('it is gone', async () => (await processes.candidate('gone')) === undefined);
  t.truthy(await processes.candidate('there'));
});
