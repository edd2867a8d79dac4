import test, {type ExecutionContext} from 'ava';
import {until} from '../../../helpers/eventually.js';
import type {ApiList, ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {Random} from '../../../helpers/random.js';
import {definition, definitionsPath, establish, type Json} from './definition-fixture.js';
import {
  merged,
  pruned,
  randomSchema,
  randomSpec,
  seen,
  taken,
  textOf,
  toStored,
  upToDate,
  type Members,
  type Model,
  type Stored,
} from './version-model.js';

const group = 'random.example.com';
const versions = ['v1', 'v2', 'v3'] as const;
const rounds = 10;
const writesPerRound = 12;

interface Known {
  stored: Stored;
  resourceVersion: string;
  readonly colour: string;
}

/** Random writes to objects of a type whose definition changes at random, beside a plain model of what there must be to see. */
class Run {
  readonly objects = new Map<string, Known>();
  model: Model;
  #state = 0;
  #names = 0;

  constructor(
    private readonly t: ExecutionContext,
    public server: TestServer,
    private readonly random: Random,
  ) {
    this.model = this.#randomModel();
  }

  collection(version: string): string {
    return `/apis/${group}/${version}/namespaces/default/widgets`;
  }

  async begin(): Promise<void> {
    await establish(
      this.server.client,
      definition(group, this.#versions(), {names: {plural: 'widgets', kind: 'Widget', shortNames: ['state0']}}),
    );
  }

  /** Another definition; in effect once discovery shows the short name that it has. */
  async redefine(): Promise<void> {
    this.model = this.#randomModel();
    const shortName = `state${++this.#state}`;
    const patched = await this.server.client.patch(`${definitionsPath}/widgets.${group}`, {
      spec: {versions: this.#versions(), names: {shortNames: [shortName]}},
    });
    this.t.is(patched.status, 200, patched.body.toString());
    await until(shortName, async () => (await this.server.client.get(`/apis/${group}/v1`)).body.includes(`"${shortName}"`));
  }

  async write(): Promise<void> {
    const {random} = this;
    const version = random.pick(versions);
    const name = this.objects.size > 0 && random.chance(0.75) ? random.pick([...this.objects.keys()]) : undefined;
    if (name === undefined) return this.#create(version);
    const choice = random.below(10);
    if (choice === 0) return this.#delete(version, name);
    if (choice < 4) return this.#patch(version, name);
    return this.#put(version, name, choice < 6);
  }

  /** What every version shows of all objects. */
  async check(): Promise<void> {
    const {t, server, model, objects} = this;
    for (const version of versions) {
      const expected = (known: Iterable<[string, Known]>) =>
        [...known].map(([name, {stored}]) => `${name} ${textOf(seen(model, stored, version))}`).sort();
      const shown = ({items}: ApiList) => items.map(({metadata, ...object}) => `${metadata.name} ${textOf(object['spec'])}`).sort();
      const list = async (query: string) => (await server.client.get(`${this.collection(version)}${query}`)).json<ApiList>();
      t.deepEqual(shown(await list('')), expected(objects), `a list in ${version}`);
      t.deepEqual(
        shown(await list('?labelSelector=colour%3Dred')),
        expected([...objects].filter(([, {colour}]) => colour === 'red')),
        `a list by label in ${version}`,
      );
      if (model.schemas.get(version)!.properties!['s1']) {
        for (const value of ['', 'x']) {
          const selected = [...objects].filter(([, {stored}]) => (seen(model, stored, version)?.['s1'] ?? '') === value);
          t.deepEqual(shown(await list(`?fieldSelector=spec.s1%3D${value}`)), expected(selected), `a list by field in ${version}`);
        }
      }
      const [first] = objects.keys();
      if (first === undefined) continue;
      const one = (await server.client.get(`${this.collection(version)}/${first}`)).json<ApiObject>();
      t.is(textOf(one['spec']), textOf(seen(model, objects.get(first)!.stored, version)), `a get in ${version}`);
      t.is(one.metadata.resourceVersion, objects.get(first)!.resourceVersion);
      t.deepEqual(await this.#watched(version), expected(objects), `a watch in ${version}`);
    }
  }

  async #create(version: string): Promise<void> {
    const name = `w${++this.#names}`;
    const colour = this.random.pick(['red', 'blue']);
    const spec = this.random.chance(0.9) ? randomSpec(this.random) : undefined;
    const response = await this.server.client.post(`${this.collection(version)}?fieldValidation=Ignore`, {
      apiVersion: `${group}/${version}`,
      kind: 'Widget',
      metadata: {name, labels: {colour}},
      ...(spec ? {spec} : {}),
    });
    this.t.is(response.status, 201, response.body.toString());
    this.#written(name, colour, version, spec && taken(this.model, version, spec), response.json<ApiObject>());
  }

  /** @param asItIs the object as it was read, by strict rules: what a version shows it takes back */
  async #put(version: string, name: string, asItIs: boolean): Promise<void> {
    const {client} = this.server;
    const object = (await client.get(`${this.collection(version)}/${name}`)).json<ApiObject>();
    if (!asItIs) object['spec'] = randomSpec(this.random);
    const wanted = object['spec'] as Members | undefined;
    const response = await client.put(`${this.collection(version)}/${name}?fieldValidation=${asItIs ? 'Strict' : 'Ignore'}`, object);
    this.t.is(response.status, 200, response.body.toString());
    this.#changed(version, name, wanted && taken(this.model, version, wanted), response.json<ApiObject>());
  }

  async #patch(version: string, name: string): Promise<void> {
    const schema = this.model.schemas.get(version)!;
    // Only what the version knows: strict rules then have nothing to say, whatever other versions know.
    const patch = pruned(schema, randomSpec(this.random)) as Members;
    const response = await this.server.client.patch(`${this.collection(version)}/${name}?fieldValidation=Strict`, {spec: patch});
    this.t.is(response.status, 200, response.body.toString());
    const result = merged(seen(this.model, this.objects.get(name)!.stored, version), patch);
    this.#changed(version, name, taken(this.model, version, result), response.json<ApiObject>());
  }

  async #delete(version: string, name: string): Promise<void> {
    this.t.is((await this.server.client.delete(`${this.collection(version)}/${name}`)).status, 200);
    this.objects.delete(name);
  }

  #changed(version: string, name: string, spec: Members | undefined, answer: ApiObject): void {
    const {stored, resourceVersion, colour} = this.objects.get(name)!;
    const isAsSeen = textOf(spec) === textOf(seen(this.model, stored, version));
    const isCurrent = stored.version === this.model.storage && textOf(upToDate(this.model, stored)) === textOf(stored.spec);
    this.t.is(
      answer.metadata.resourceVersion === resourceVersion,
      isAsSeen && isCurrent,
      'a write that changes nothing keeps the version, unless it brings what is stored up to date',
    );
    if (answer.metadata.resourceVersion !== resourceVersion) this.#written(name, colour, version, spec, answer);
    else this.t.is(textOf(answer['spec']), textOf(spec));
  }

  #written(name: string, colour: string, version: string, spec: Members | undefined, answer: ApiObject): void {
    const stored: Stored = spec ? toStored(this.model, version, spec) : {version: this.model.storage, spec};
    this.t.is(textOf(answer['spec']), textOf(seen(this.model, stored, version)), `the answer to a write in ${version}`);
    this.objects.set(name, {stored, resourceVersion: answer.metadata.resourceVersion!, colour});
  }

  async #watched(version: string): Promise<string[]> {
    const events: string[] = [];
    for await (const {object} of this.server.client.watch(`${this.collection(version)}?watch=1`)) {
      events.push(`${object.metadata.name} ${textOf(object['spec'])}`);
      if (events.length === this.objects.size) break;
    }
    return events.sort();
  }

  #randomModel(): Model {
    const {random} = this;
    return {schemas: new Map(versions.map((name) => [name, randomSchema(random)])), storage: random.pick(versions)};
  }

  #versions(): Json[] {
    return versions.map((name) => {
      const spec = this.model.schemas.get(name)!;
      const selectableFields = spec.properties!['s1'] ? [{jsonPath: '.spec.s1'}] : [];
      return {
        name,
        served: true,
        storage: name === this.model.storage,
        schema: {openAPIV3Schema: {type: 'object', properties: {spec}}},
        selectableFields,
      };
    });
  }
}

/** Runs rounds of writes, each under another definition. */
async function play(t: ExecutionContext, seed: number, options: ServerOptions, restart: boolean): Promise<void> {
  t.log(`seed ${seed}`);
  const random = new Random(seed);
  let server = await startTestServer(options);
  t.teardown(() => server.stop());
  const run = new Run(t, server, random);
  await run.begin();
  for (let round = 0; round < rounds; round += 1) {
    for (let write = 0; write < writesPerRound; write += 1) await run.write();
    await run.check();
    if (restart && round % 4 === 3) {
      await server.stop();
      run.server = server = await startTestServer(options);
      await run.check();
    }
    await run.redefine();
    await run.check();
  }
}

const seed = Number(process.env['ORCH_TEST_SEED'] ?? 20_260_103);

test('random definitions, one after the other, show in every version what a plain model says (memory)', async (t) => {
  await play(t, seed, {store: 'memory'}, false);
});

test('random definitions, one after the other, show in every version what a plain model says, across restarts too (embedded)', async (t) => {
  await play(t, seed + 1, {store: 'embedded', dataDir: tempFolder(t, 'orch-random-')}, true);
});
