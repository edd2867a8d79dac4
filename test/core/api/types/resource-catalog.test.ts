import test from 'ava';
import type {ResourceDefinition} from '../../../../sdk/index.js';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {ResourceCatalog} from '../../../../core/api/types/resource-catalog.js';
import {ResourceType} from '../../../../core/api/types/resource-type.js';
import {seededRandom} from '../../../helpers/config-map-writers.js';

const groups = ['a.example', 'b.example', 'c.example'];
const versionNames = ['v1', 'v1beta1', 'v2'];

function typeOf(definition: ResourceDefinition): ResourceType {
  return new ResourceType(definition, {
    naming: kubernetes,
    plugin: 'test',
    strategy: undefined,
    markSchema: () => 1,
    resolveSchema: () => {
      throw new Error('no schema is needed');
    },
  });
}

function definitionOf(
  group: string,
  plural: string,
  served: readonly string[],
  storedAs?: ResourceDefinition['storedAs'],
): ResourceDefinition {
  return {
    group,
    names: {plural, kind: `Kind${plural}`},
    scope: 'Namespaced',
    verbs: ['get'],
    ...(storedAs ? {storedAs} : {}),
    versions: versionNames.map((name) => ({name, schema: {type: 'object'}, storage: name === 'v1', served: served.includes(name)})),
  };
}

/** All that a catalogue tells of where types are. */
function seen(catalog: ResourceCatalog, plurals: readonly string[]) {
  const paths = groups.flatMap((group) => versionNames.map((version) => ({group, version})));
  return {
    found: paths.flatMap(({group, version}) =>
      plurals.map((plural) => [group, version, plural, catalog.find(group, version, plural)?.apiVersion]),
    ),
    known: groups.map((group) => catalog.hasGroup(group)),
    groups: catalog
      .groups()
      .map(({group, versions}) => [group, versions.map(({version, types}) => [version, types.map(({type}) => type.plural)])]),
    types: [...catalog.types()].map(({qualifiedName}) => qualifiedName),
  };
}

for (const seed of [3, 33, 333]) {
  test(`a catalogue whose types come and go is like one that was made of those that are there (seed ${seed})`, (t) => {
    const random = seededRandom(seed);
    const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
    const plurals = ['ones', 'twos', 'threes', 'fours'];
    const catalog = new ResourceCatalog();
    const definitions = new Map<string, ResourceDefinition>();
    for (let step = 0; step < 150; step++) {
      const [group, plural] = [pick(groups), pick(plurals)];
      const {generation} = catalog;
      if (random() < 0.4) {
        const wasThere = definitions.delete(`${plural}.${group}`);
        catalog.delete(`${plural}.${group}`);
        t.is(catalog.generation > generation, wasThere);
      } else {
        const definition = definitionOf(
          group,
          plural,
          versionNames.filter(() => random() < 0.5),
        );
        definitions.set(`${plural}.${group}`, definition);
        catalog.set(typeOf(definition));
        t.true(catalog.generation > generation);
      }
      const fresh = new ResourceCatalog();
      fresh.setAll([...definitions.values()].map(typeOf));
      t.deepEqual(seen(catalog, plurals), seen(fresh, plurals), `seed ${seed}, step ${step}`);
    }
  });
}

test('a type that is a view of another follows that one, whichever comes first and however often it is replaced', (t) => {
  const owner = definitionOf('a.example', 'ones', ['v1']);
  const view = definitionOf('b.example', 'ones', ['v1'], {group: 'a.example', resource: 'ones'});
  for (const viewFirst of [true, false]) {
    const catalog = new ResourceCatalog();
    const [first, second] = viewFirst ? [view, owner] : [owner, view];
    catalog.set(typeOf(first));
    catalog.set(typeOf(second));
    const storage = () => catalog.type('ones.b.example')!.storageVersion;
    t.is(storage(), catalog.type('ones.a.example')!.storageVersion);
    catalog.set(typeOf(owner));
    t.is(storage(), catalog.type('ones.a.example')!.storageVersion);
    catalog.set(typeOf(view));
    t.is(storage(), catalog.type('ones.a.example')!.storageVersion);
  }
});
