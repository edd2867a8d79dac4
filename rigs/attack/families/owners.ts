import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';
import {fillWith} from './body-attack.js';
import {definition, definitionsPath, groupOf, withSpec} from './definition-attack.js';

const collection = (attacker: Attacker) => attacker.path('configmaps');
const uid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

async function made(attacker: Attacker, name: string, ownerReferences: readonly object[] = []): Promise<string> {
  const answer = await attacker.call('POST', collection(attacker), {
    user: 'builder',
    body: JSON.stringify({metadata: {name, ownerReferences}}),
  });
  return (JSON.parse(answer?.body.toString() ?? '{}') as {metadata?: {uid?: string}}).metadata?.uid ?? '';
}

const owner = (name: string, ownerUid: string, more: object = {}) => ({apiVersion: 'v1', kind: 'ConfigMap', name, uid: ownerUid, ...more});

/** An owner and what it owns. */
async function prepareFamily(attacker: Attacker, count: number): Promise<void> {
  const ownerUid = await made(attacker, 'owner');
  await attacker.makeAll(
    collection(attacker),
    Array.from({length: count}, (_, number) => ({
      metadata: {name: `child-${number}`, ownerReferences: [owner('owner', ownerUid, {blockOwnerDeletion: true})]},
    })),
  );
}

const deleted = (name: string, policy: string): Attack => ({
  name,
  outcomes: [200, 202],
  seconds: 4,
  leavesMegabytes: 50,
  prepare: (attacker) => prepareFamily(attacker, 1500),
  async run(attacker) {
    await attacker.call('DELETE', `${collection(attacker)}/owner?propagationPolicy=${policy}`);
    await attacker.hold();
  },
});

/** What the garbage collector has to follow. */
export const owners = family('owners', [
  deleted('1500-dependents-background', 'Background'),
  deleted('1500-dependents-foreground', 'Foreground'),
  deleted('1500-dependents-orphaned', 'Orphan'),
  {
    name: 'as-many-owners-as-fit',
    outcomes: [201, 413, 422],
    seconds: 3,
    leavesMegabytes: 60,
    async run(attacker) {
      const references = fillWith((number) => JSON.stringify(owner('a', uid(number))), ',', 1_400_000);
      await attacker.repeat(8, 2, (number) =>
        attacker.call('POST', collection(attacker), {body: `{"metadata":{"name":"many-${number}","ownerReferences":[${references}]}}`}),
      );
      await attacker.hold();
    },
  },
  {
    name: '100000-absent-owners',
    outcomes: [201, 409],
    seconds: 4,
    leavesMegabytes: 60,
    run: (attacker) =>
      attacker.flood({
        connections: 20,
        request: (connection, number) =>
          requestText('POST', collection(attacker), {
            body: JSON.stringify({
              metadata: {
                name: `o-${connection}-${number}`,
                ownerReferences: Array.from({length: 100}, (_, at) => owner('gone', uid(connection * 1_000_000 + number * 100 + at))),
              },
            }),
          }),
      }),
  },
  {
    name: 'cycles',
    outcomes: [200, 202],
    seconds: 4,
    leavesMegabytes: 40,
    async run(attacker) {
      await attacker.repeat(30, 3, async (number) => {
        const names = Array.from({length: 5}, (_, at) => `cycle-${number}-${at}`);
        const uids: string[] = [];
        for (const name of names) uids.push(await made(attacker, name));
        for (const [at, name] of names.entries()) {
          const next = (at + 1) % names.length;
          await attacker.call('PATCH', `${collection(attacker)}/${name}`, {
            type: 'application/merge-patch+json',
            body: JSON.stringify({metadata: {ownerReferences: [owner(names[next]!, uids[next]!, {blockOwnerDeletion: true})]}}),
          });
        }
        await attacker.call('DELETE', `${collection(attacker)}/${names[0]}?propagationPolicy=Foreground`);
      });
      await attacker.hold();
    },
  },
  {
    name: 'chain-of-300',
    outcomes: [200, 202],
    seconds: 4,
    leavesMegabytes: 30,
    async prepare(attacker) {
      let above = await made(attacker, 'link-0');
      for (let number = 1; number < 300; number++)
        above = await made(attacker, `link-${number}`, [owner(`link-${number - 1}`, above, {blockOwnerDeletion: true})]);
    },
    async run(attacker) {
      await attacker.call('DELETE', `${collection(attacker)}/link-0?propagationPolicy=Foreground`);
      await attacker.hold();
    },
  },
  {
    name: 'types-that-come-and-go',
    outcomes: [201],
    seconds: 4,
    leavesMegabytes: 50,
    async run(attacker) {
      const name = `things.${groupOf(attacker)}`;
      const body = JSON.stringify(definition(attacker, 'things', withSpec({type: 'string'})));
      const things = attacker.path('things', `${groupOf(attacker)}/v1`);
      await attacker.repeat(1000, 1, async (number) => {
        await attacker.call('POST', definitionsPath, {user: 'builder', body});
        await attacker.call('POST', things, {user: 'builder', body: `{"metadata":{"name":"t-${number}"}}`});
        await made(attacker, `of-${number}`, [
          {apiVersion: `${groupOf(attacker)}/v1`, kind: 'Things', name: `t-${number}`, uid: uid(number)},
        ]);
        await attacker.call('DELETE', `${definitionsPath}/${name}`, {user: 'builder'});
      });
    },
  },
  {
    name: 'unknown-types',
    outcomes: [201],
    seconds: 3,
    leavesMegabytes: 40,
    run: (attacker) =>
      attacker.flood({
        connections: 10,
        request: (connection, number) =>
          requestText('POST', collection(attacker), {
            body: JSON.stringify({
              metadata: {
                name: `u-${connection}-${number}`,
                ownerReferences: Array.from({length: 20}, (_, at) => ({
                  apiVersion: `g${connection}-${number}-${at}.example/v1`,
                  kind: `Kind${number}`,
                  name: 'x',
                  uid: uid(at),
                })),
              },
            }),
          }),
      }),
  },
]);
