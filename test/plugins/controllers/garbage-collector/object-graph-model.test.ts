import test from 'ava';
import fc from 'fast-check';
import type {OwnerReference, ServedResource} from '../../../../sdk/index.js';
import {ObjectGraph, type GraphListener} from '../../../../plugins/controllers/garbage-collector/object-graph.js';
import type {DeletionState} from '../../../../plugins/controllers/garbage-collector/graph-node.js';
import {checkProperty} from '../../../core/api/seeded.js';

const count = 6;
const types: readonly ServedResource[] = [
  {group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: []},
  {group: 'example.com', version: 'v1', resource: 'things', kind: 'Thing', namespaced: false, verbs: []},
];
const apiVersions = ['v1', 'example.com/v1'];

/** What an object really is: some are cluster-scoped, the others in two namespaces. */
const typeNumber = (number: number) => (number % 3 === 2 ? 1 : 0);
const typeOf = (number: number) => types[typeNumber(number)]!;
const namespaceOf = (number: number) => (typeOf(number).namespaced ? `ns-${number % 2}` : '');
const keyOf = (number: number) => (namespaceOf(number) ? `${namespaceOf(number)}/n-${number}` : `n-${number}`);
const uidOf = (number: number) => `uid-${number}`;

/** A reference as a client may write it: to an object as it is, or with another name or kind. */
interface Reference {
  readonly owner: number;
  readonly isMisnamed: boolean;
  readonly isOtherKind: boolean;
  readonly blocks: boolean;
}

function referenceOf({owner, isMisnamed, isOtherKind, blocks}: Reference): OwnerReference {
  const type = isOtherKind ? 1 - typeNumber(owner) : typeNumber(owner);
  return {
    apiVersion: apiVersions[type]!,
    kind: types[type]!.kind,
    name: isMisnamed ? 'other' : `n-${owner}`,
    uid: uidOf(owner),
    ...(blocks ? {blockOwnerDeletion: true} : {}),
  };
}

const reference = fc.record({
  owner: fc.nat(count - 1),
  isMisnamed: fc.boolean(),
  isOtherKind: fc.boolean(),
  blocks: fc.boolean(),
});
const number = fc.nat(count - 1);
const change = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('see' as const),
      number,
      owners: fc.array(reference, {maxLength: 3}),
      state: fc.constantFrom<DeletionState>('live', 'live', 'deleting', 'dependentsFirst', 'orphaning'),
    }),
  },
  {weight: 3, arbitrary: fc.record({what: fc.constant('remove' as const), number})},
  {weight: 2, arbitrary: fc.record({what: fc.constant('lookedUp' as const), number, link: fc.nat(2), isThere: fc.boolean()})},
  {weight: 1, arbitrary: fc.record({what: fc.constant('undecided' as const), number})},
  {weight: 1, arbitrary: fc.record({what: fc.constant('relist' as const), type: fc.nat(1), left: fc.uniqueArray(number)})},
  {weight: 1, arbitrary: fc.record({what: fc.constant('ended' as const), type: fc.nat(1)})},
);

/** The naive model: what exists, what was reported of it, and nothing else. All that the graph answers is worked out by going through it. */
class World {
  /** Objects that were reported, with what they say. */
  readonly seen = new Map<number, {owners: readonly Reference[]; state: DeletionState}>();
  /** Objects that were reported to be gone while somebody named them. */
  readonly gone = new Set<number>();
  /** Ways to name an owner, as text, that were looked up and are of no object. */
  readonly lookedUp = new Set<string>();

  dependents(owner: number): number[] {
    return [...this.seen].filter(([, {owners}]) => owners.some((each) => each.owner === owner)).map(([dependent]) => dependent);
  }

  isBlocked(owner: number): boolean {
    return [...this.seen.values()].some(({owners}) => owners.some((each) => each.owner === owner && each.blocks));
  }

  isNode(number: number): boolean {
    const own = this.seen.get(number);
    return this.dependents(number).length > 0 || (own !== undefined && (own.owners.length > 0 || waits(own.state)));
  }

  /** Whether a reference of an object in a namespace describes the owner as it is. */
  isTrue({owner, isMisnamed, isOtherKind}: Reference, namespace: string): boolean {
    return !isMisnamed && !isOtherKind && (!typeOf(owner).namespaced || namespaceOf(owner) === namespace);
  }

  way({owner, isMisnamed, isOtherKind}: Reference, namespace: string): string {
    return JSON.stringify([owner, isMisnamed, isOtherKind, namespace]);
  }

  /** What was learnt of owners that nobody names any more, or that were observed since, is forgotten. */
  forget(): void {
    for (const each of this.gone) if (this.dependents(each).length === 0) this.gone.delete(each);
    for (const way of this.lookedUp) if (this.dependents((JSON.parse(way) as [number])[0]).length === 0) this.lookedUp.delete(way);
  }
}

const waits = (state: DeletionState) => state === 'dependentsFirst' || state === 'orphaning';

function metadataOf(number: number, owners: readonly Reference[], state: DeletionState) {
  const finalizers = {live: [], deleting: [], dependentsFirst: ['foregroundDeletion'], orphaning: ['orphan']}[state];
  return {
    uid: uidOf(number),
    ownerReferences: owners.map(referenceOf),
    ...(state === 'live' ? {} : {deletionTimestamp: '2026-01-01T00:00:00Z', finalizers}),
  };
}

test('whatever is reported, the graph knows who depends on whom, and takes for absent only what was gone or was looked up', (t) => {
  const property = fc.property(fc.array(change, {maxLength: 40}), fc.boolean(), (changes, isCacheAhead) => {
    const world = new World();
    const checked = new Set<string>();
    const listener: GraphListener = {
      check: (uid) => checked.add(uid),
      checkDependents: (uid) => {
        for (const dependent of graph.dependents(uid)) checked.add(dependent);
      },
      invalidNamespace: () => undefined,
      find: ({owner: {uid}, name, kind, namespace}) => {
        const found = [...Array(count).keys()].find((each) => uidOf(each) === uid)!;
        const own = world.seen.get(found);
        const isThere = isCacheAhead && own && name === `n-${found}` && kind === typeOf(found).kind;
        if (!isThere || (typeOf(found).namespaced && namespace !== namespaceOf(found))) return undefined;
        return {type: typeOf(found), key: keyOf(found), state: own.state};
      },
    };
    const graph = new ObjectGraph(listener);
    const see = (each: number) => {
      const {owners, state} = world.seen.get(each)!;
      graph.see({type: typeOf(each), key: keyOf(each), metadata: metadataOf(each, owners, state)});
    };
    const lose = (each: number) => {
      world.seen.delete(each);
    };
    for (const step of changes) {
      checked.clear();
      const wasBlocked = new Map([...world.seen.keys()].map((each) => [each, world.isBlocked(each)]));
      if (step.what === 'see') {
        const before = world.seen.get(step.number)?.state;
        world.seen.set(step.number, {owners: step.owners, state: step.state});
        world.gone.delete(step.number);
        // What was learnt while nobody had observed it is learnt again.
        if (before === undefined) for (const way of world.lookedUp) if (way.startsWith(`[${step.number},`)) world.lookedUp.delete(way);
        see(step.number);
        if (waits(step.state) && before !== step.state) equal(checked.has(uidOf(step.number)), true, 'a deletion that waits is carried on');
      } else if (step.what === 'remove') {
        const wasNamed = world.dependents(step.number).length > 0;
        if (!world.seen.has(step.number) && !wasNamed) continue;
        world.seen.delete(step.number);
        graph.remove(uidOf(step.number), typeOf(step.number), keyOf(step.number));
        world.gone.add(step.number);
        for (const dependent of world.dependents(step.number))
          equal(checked.has(uidOf(dependent)), true, 'dependents of what is gone are looked at');
      } else if (step.what === 'lookedUp') {
        const link = graph.owners(uidOf(step.number))[step.link];
        const named = world.seen.get(step.number)?.owners.find((each) => link && matches(each, link));
        if (!link || !named) continue;
        const isThere = world.seen.has(named.owner) && world.isTrue(named, namespaceOf(step.number));
        if (isThere) continue;
        graph.markAbsent(link);
        world.lookedUp.add(world.way(named, namespaceOf(step.number)));
      } else if (step.what === 'undecided') {
        graph.markLookedUp(uidOf(step.number));
      } else {
        const type = types[step.type]!;
        const left = step.what === 'relist' ? step.left : [];
        const ofType = [...world.seen.keys()].filter((each) => typeOf(each) === type);
        const observed = new Set(ofType.filter((each) => graph.get(uidOf(each))?.type));
        if (step.what === 'ended') graph.loseAll(type);
        else {
          graph.doubt(type);
          for (const each of ofType) if (left.includes(each)) see(each);
          graph.loseDoubtful(type);
        }
        for (const each of ofType) if (!left.includes(each)) lose(each);
        for (const each of ofType)
          if (observed.has(each) && !left.includes(each) && world.dependents(each).length > 0)
            equal(checked.has(uidOf(each)), true, 'what was lost is looked for');
      }
      world.forget();
      for (const [each, blocked] of wasBlocked) {
        if (blocked && !world.isBlocked(each) && world.seen.get(each)?.state === 'dependentsFirst')
          equal(checked.has(uidOf(each)), true, 'an owner whose last blocking dependent has gone is looked at');
      }
      compare(world, graph);
    }
  });
  const compare = (world: World, graph: ObjectGraph) => {
    const numbers = [...Array(count).keys()];
    const nodes = numbers.filter((each) => world.isNode(each));
    equal(graph.size, nodes.length, 'size');
    for (const each of numbers) {
      const uid = uidOf(each);
      const dependents = world.dependents(each);
      equal([...new Set(graph.dependents(uid))].sort(), dependents.map(uidOf).sort(), `dependents of ${uid}`);
      equal(graph.hasDependents(uid), dependents.length > 0, `${uid} has dependents`);
      equal(graph.isBlocked(uid), world.isBlocked(each), `${uid} is blocked`);
      equal(
        graph.hasWaitingDependent(uid),
        dependents.some((dependent) => world.seen.get(dependent)!.state === 'dependentsFirst'),
        `${uid} has a dependent that waits`,
      );
      equal(graph.get(uid) !== undefined, nodes.includes(each), `${uid} is known`);
      const own = world.seen.get(each);
      // Of others the graph did not keep what was reported before they were named.
      if (own && (own.owners.length > 0 || waits(own.state))) equal(graph.get(uid)!.state, own.state, `state of ${uid}`);
      for (const link of graph.owners(uid)) {
        const named = own!.owners.find((reference) => matches(reference, link))!;
        const wasLookedUp = world.lookedUp.has(world.way(named, namespaceOf(each)));
        const isGone = world.gone.has(named.owner) && world.isTrue(named, namespaceOf(each));
        if (link.isAbsent) equal(wasLookedUp || isGone, true, `${uid} is told that ${JSON.stringify(named)} is absent`);
        if (isGone && !world.seen.has(named.owner)) equal(link.isAbsent, true, `${uid} knows that ${JSON.stringify(named)} is gone`);
      }
    }
  };
  checkProperty(t, property, 3000);
});

function matches(reference: Reference, {owner, apiVersion, kind, name, blocks}: ReturnType<ObjectGraph['owners']>[number]): boolean {
  const {uid, apiVersion: version, kind: kindName, name: named} = referenceOf(reference);
  return owner.uid === uid && apiVersion === version && kind === kindName && name === named && blocks === reference.blocks;
}

function equal(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
