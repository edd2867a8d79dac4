import test from 'ava';
import {advanceFaults, preferredVersion} from '../../../core/api/lifetimes/advance-faults.js';
import {lifetimeExceptions} from '../../../core/api/lifetimes/lifetime-exceptions.js';
import {compareReleases, promiseRelease, servedReleases} from '../../../core/api/lifetimes/releases.js';
import {versionsAtRelease} from '../../../core/api/lifetimes/version-at-release.js';
import {existsIn} from '../../../core/api/lifetimes/version-stability.js';
import {versionLifetimeFaults} from '../../../core/api/lifetimes/version-lifetime-faults.js';
import {orch} from '../../../core/api/naming/orch.js';
import {commands} from '../../../core/cli/commands.js';
import {PluginCatalogue} from '../../../core/kernel/selection/plugin-catalogue.js';
import {builtinPlugins} from '../../../core/options/builtin-plugins.js';
import {commandLineElements, declaredLifetimeFaults, featureGates} from '../../../core/lifetimes/declared-lifetimes.js';
import {apiVersionOf} from '../../../sdk/index.js';

const manifests = (await PluginCatalogue.read({pluginRoots: [builtinPlugins]})).plugins.map(({manifest}) => manifest);
const declared = {manifests, commands};
const resources = manifests.flatMap(({contributes}) => contributes?.resources ?? []);
const versions = resources.flatMap((definition) =>
  definition.versions.map((version) => ({definition, version, lifetime: version.lifetime})),
);

test('every version of every built-in type has a lifetime, and all that is declared keeps the promises', (t) => {
  t.true(versions.length >= 68);
  t.deepEqual(
    versions.filter(({lifetime}) => lifetime === undefined).map(({definition, version}) => `${definition.names.plural} ${version.name}`),
    [],
  );
  t.deepEqual(declaredLifetimeFaults(declared), []);
  t.true(commandLineElements(declared).some(({deprecated}) => deprecated !== undefined));
  t.true(featureGates(declared).length >= 47);
});

test('[B-STAB-4] every version that is neither alpha nor beta is named v and a number, and none of them is removed', (t) => {
  const stable = versions.filter(({version: {name}}) => !/alpha|beta/.test(name));
  t.true(stable.length >= 50);
  for (const {version, lifetime} of stable) {
    t.regex(version.name, /^v[1-9]\d*$/);
    t.is(lifetime?.removed, undefined);
  }
});

test('[B-STAB-5] every beta version that is served is deprecated 3 releases after its introduction at the latest, and removed 3 releases later', (t) => {
  const minor = (release: string | undefined) => Number(release?.split('.')[1]);
  const beta = versions.filter(({version: {name}}) => name.includes('beta'));
  t.deepEqual(
    beta
      .filter(({lifetime}) => compareReleases(lifetime!.introduced, promiseRelease) <= 0)
      .map(({definition, version}) => `${apiVersionOf({group: definition.group, version: version.name})} ${definition.names.kind}`)
      .sort(),
    [
      'flowcontrol.apiserver.orch/v1beta2 FlowSchema',
      'flowcontrol.apiserver.orch/v1beta2 PriorityLevelConfiguration',
      'flowcontrol.apiserver.orch/v1beta3 FlowSchema',
      'flowcontrol.apiserver.orch/v1beta3 PriorityLevelConfiguration',
      'storage.orch/v1beta1 CSIStorageCapacity',
    ],
  );
  for (const {lifetime} of beta) {
    if (!existsIn(promiseRelease, lifetime) && lifetime?.deprecated === undefined) continue;
    t.true(minor(lifetime?.deprecated) - minor(lifetime?.introduced) <= 3);
    t.is(minor(lifetime?.removed) - minor(lifetime?.deprecated), 3);
  }
});

test('[B-DEPR-4] what takes the place of a deprecated version is at least as stable', (t) => {
  const rank = (name: string) => (name.includes('alpha') ? 0 : name.includes('beta') ? 1 : 2);
  const replaced = versions.filter(({lifetime}) => lifetime?.replacedBy !== undefined);
  t.true(replaced.length >= 5);
  for (const {version, lifetime} of replaced) t.true(rank(lifetime!.replacedBy!.split('/').at(-1)!) >= rank(version.name));
  t.deepEqual(versionLifetimeFaults(resources), []);
});

test('[B-DEPR-6] every group prefers and stores versions that the release before served, but for the one exception that is written down', (t) => {
  const old = (definition: (typeof resources)[number], name: string) =>
    definition.versions.some(
      (version) =>
        version.name === name && version.lifetime !== undefined && compareReleases(version.lifetime.introduced, promiseRelease) < 0,
    );
  const early = resources
    .filter((definition) => definition.versions.some(({name}) => old(definition, name)))
    .filter((definition) => {
      const preferred = preferredVersion(definition.group, [definition]);
      return preferred !== undefined && !old(definition, preferred);
    });
  t.deepEqual(early.map(({group, names}) => `${group} ${names.plural}`).sort(), [
    'flowcontrol.apiserver.orch flowschemas',
    'flowcontrol.apiserver.orch prioritylevelconfigurations',
  ]);
  t.deepEqual(
    advanceFaults(resources).map(({rule, subject}) => ({rule, subject})),
    lifetimeExceptions.map(({rule, subject}) => ({rule, subject})),
  );
  t.deepEqual(
    lifetimeExceptions.map(({rule, subject}) => `${rule} ${subject}`),
    ['preferred-too-early flowcontrol.apiserver.orch/v1beta3'],
  );
  // What is stored has no exception.
  const present = ({lifetime}: {readonly lifetime?: {readonly introduced: string}}) =>
    compareReleases(lifetime!.introduced, promiseRelease) <= 0;
  for (const definition of resources.filter(({versions: several}) => several.filter(present).length > 1)) {
    t.true(old(definition, definition.versions.find(({storage}) => storage)!.name), definition.names.plural);
  }
});

test('[B-DEPR-6] in every release a type is stored in one version, which the release has', (t) => {
  for (const release of servedReleases) {
    for (const definition of resources) {
      if (definition.handler !== undefined || !definition.versions.some(({lifetime}) => existsIn(release, lifetime))) continue;
      const stored = versionsAtRelease(definition, orch, release, {enabled: () => true}).filter(({storage}) => storage);
      t.is(stored.length, 1, `${definition.names.plural} in ${release}`);
      t.true(existsIn(release, stored[0]!.lifetime), `${definition.names.plural} in ${release}`);
    }
  }
});
