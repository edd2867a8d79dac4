import type {AdmissionOptions, NamingProfile} from '../../sdk/index.js';
import {importEntry, type DeliveredClass} from '../kernel/loading/import-entry.js';
import {deepCheck} from '../kernel/deep-check.js';
import {KernelError, problem, type KernelProblem} from '../kernel/kernel-error.js';
import {nearestName} from '../kernel/nearest-name.js';
import type {FoundPlugin} from '../kernel/manifests/read-manifest.js';
import {manifestLifetimeFaults} from '../lifetimes/declared-lifetimes.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {admissionProblems, type AdmissionTarget} from './admission-problems.js';
import {contributionProblems, trialCatalog} from './check-contributions.js';

interface ThoroughOptions {
  readonly naming: NamingProfile;
  /** The release whose types the server serves. */
  readonly release: string;
  readonly importCode: boolean;
  /** Whether nothing was wrong with the manifests by themselves. */
  readonly isSound?: boolean;
}

/**
 * Everything that is wrong with plugins and can be found without starting them: what the start finds, what it skips because it takes time, and lifetimes.
 *
 * @param own the plugins to check
 * @param all every plugin that there is
 */
export async function thoroughProblems(
  own: readonly FoundPlugin[],
  all: readonly FoundPlugin[],
  {naming, release, importCode, isSound = true}: ThoroughOptions,
): Promise<KernelProblem[]> {
  const problems: KernelProblem[] = [];
  for (const plugin of own) problems.push(...sharedSettingProblems(plugin, all), ...(await deepCheck(plugin, importCode)));
  const ofTypes = contributionProblems(own, all, naming, release);
  problems.push(...ofTypes);
  // A missing class has been reported already.
  if (ofTypes.length === 0 && isSound) problems.push(...(await describedProblems(own, all, naming, release)));
  if (importCode) problems.push(...(await admissionProblemsOf(own, all)));
  const manifests = all.map(({manifest}) => manifest);
  for (const {name, file, manifest} of own) {
    problems.push(
      ...manifestLifetimeFaults(manifest, manifests).map(({subject, text}) =>
        serverProblem('LIFETIME_INVALID', {subject, detail: text}, {plugin: name, file}),
      ),
    );
  }
  return problems;
}

/** Settings that are to be the same as those of a plugin that there is not. The start takes their defaults, as for one that is disabled. */
function sharedSettingProblems({name, file, manifest}: FoundPlugin, all: readonly FoundPlugin[]): KernelProblem[] {
  const names = all.map((plugin) => plugin.name);
  return Object.entries(manifest.config?.properties ?? {}).flatMap(([property, {sameAs}]) => {
    const owner = sameAs?.split('.')[0];
    if (owner === undefined || names.includes(owner)) return [];
    const meant = nearestName(owner, names);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    const detail = `${property} is to be the same as ${sameAs}, and there is no plugin ${owner}${hint}`;
    return [problem('CONFIG_SCHEMA_INVALID', {detail}, {plugin: name, file, path: `config.properties.${property}.sameAs`})];
  });
}

/** What is right by itself may still be beyond what OpenAPI can say. */
async function describedProblems(
  own: readonly FoundPlugin[],
  all: readonly FoundPlugin[],
  naming: NamingProfile,
  release: string,
): Promise<KernelProblem[]> {
  const {openApiProblems} = await import('./openapi-problems.js');
  const {catalog, schemas} = trialCatalog(all, naming, release);
  return openApiProblems(own, catalog, schemas, naming);
}

/** What the decorators of admission controllers say, and whether they could ever be called. */
async function admissionProblemsOf(own: readonly FoundPlugin[], all: readonly FoundPlugin[]): Promise<KernelProblem[]> {
  const targets: AdmissionTarget[] = [];
  for (const plugin of own) {
    if ((plugin.manifest.contributes?.admission ?? []).length === 0) continue;
    for (const {kind, name, path, record} of await deliveredBy(plugin)) {
      if (kind === 'admission')
        targets.push({name, options: record.options as AdmissionOptions, place: {plugin: plugin.name, file: plugin.file, path}});
    }
  }
  const definitions = all.flatMap(({manifest}) => manifest.contributes?.resources ?? []);
  return admissionProblems(targets, definitions).problems;
}

/** The classes of a plugin; none if they cannot be imported, which has been reported with the manifest or the code. */
async function deliveredBy(plugin: FoundPlugin): Promise<readonly DeliveredClass[]> {
  try {
    return await importEntry(plugin);
  } catch (error) {
    if (KernelError.is(error)) return [];
    throw error;
  }
}
