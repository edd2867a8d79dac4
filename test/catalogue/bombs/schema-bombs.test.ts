import test from 'ava';
import {orch} from '../../../core/api/naming/orch.js';
import {startTestServer} from '@orch-api/orch/testing';
import {isWithin, longestTurn} from '../../helpers/longest-turn.js';
import {Random} from '../../helpers/random.js';
import {catalogueTypes} from '../catalogue-types.js';
import {minimalObject} from '../minimal-objects.js';
import {schemaOf} from '../schemas.js';
import {bombBody} from './bomb-bodies.js';
import {bombPlaces} from './bomb-places.js';
import {bombValues, type BombValue} from './bomb-values.js';

/** `BOMBS=all` sends every bomb of every kind, for half an hour; otherwise some are chosen for each kind. */
const all = process.env['BOMBS'] === 'all';
const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff);
const chosenForEachKind = 1;
/** About what an object may have, so that it is not refused for its size alone. */
const bytes = 800_000;
/** Milliseconds of processor for one turn of the event loop. Reading and storing tens of thousands of members takes a third of it. */
const stallLimit = 2500;

test(`one member of an object, made as large as a body can be, does not stop the server, whatever the kind (seed ${seed})`, async (t) => {
  t.timeout(all ? 3_600_000 : 180_000);
  const random = new Random(seed);
  await using server = await startTestServer({runtimeConfig: {'api/all': true}});
  const {client} = server;
  const done = new Set<string>();
  let sent = 0;
  for (const type of await catalogueTypes(client)) {
    const minimal = minimalObject(type.resource, type.groupVersion, orch, 'default')!;
    const object = {apiVersion: type.groupVersion, kind: type.kind, metadata: {name: minimal.name ?? 'bomb'}, ...minimal.members};
    const collection = `${type.root}/${type.namespaced ? 'namespaces/default/' : ''}${type.resource}`;
    const places = bombPlaces(schemaOf(type.group, type.version, type.kind)).filter(({id}) => !all || !done.has(id));
    for (const place of all ? places : Array.from({length: chosenForEachKind}, () => random.pick(places))) {
      if (!place) continue;
      done.add(place.id);
      const values = bombValues(place.node, bytes);
      for (const value of all ? values : values.length > 0 ? [random.pick(values)] : []) {
        const body = Buffer.from(bombBody(object, place, value.text));
        await judge(`${type.resource} ${place.path.join('.')}`, value, () =>
          client.post(collection, body, {headers: {'content-type': 'application/json'}}),
        );
        await client.patch(`${collection}/${object.metadata.name}`, {metadata: {finalizers: null}});
        await client.delete(`${collection}/${object.metadata.name}?gracePeriodSeconds=0`);
        sent += 1;
      }
    }
  }
  t.log(`${sent} bombs`);
  t.true(sent > 30);

  async function judge(place: string, {how}: BombValue, send: () => ReturnType<typeof client.post>): Promise<void> {
    const {result, longestMillis} = await longestTurn(send);
    t.true(result.status < 500, `${place}, ${how}: ${result.status} ${result.body.toString().slice(0, 300)}`);
    t.true(await isWithin(longestMillis, stallLimit), `${place}, ${how}: ${Math.round(longestMillis)} ms`);
  }
});
