import {groupResourceText, type Logger} from '../../sdk/index.js';
import type {Contributions} from '../kernel/contributions.js';
import type {Kernel} from '../kernel/kernel.js';
import {KernelError} from '../kernel/kernel-error.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {admissionProblems} from './admission-problems.js';

/**
 * Checks whether the admission controllers of those that did not come with the server can ever be called. What they
 * wait for may be a custom resource of later, which is logged.
 *
 * @throws KernelError with all that never can
 */
export async function checkContributions(kernel: Kernel, contributions: Contributions, logger: Logger): Promise<void> {
  checkAdmission(kernel, contributions, logger);
  checkLeases(kernel, contributions);
  await warnOfMissingTypes(kernel, logger);
  warnOfNobody(contributions, logger);
}

const leases = {group: 'coordination.orch', plural: 'leases', plugin: 'coordination'};

/** A controller that runs on one server at a time would wait for ever where nobody can say on which. */
function checkLeases(kernel: Kernel, {controllers}: Contributions): void {
  const definitions = kernel.resources().map(({definition}) => definition);
  if (definitions.some(({group, names}) => group === leases.group && names.plural === leases.plural)) return;
  KernelError.throwIfAny(
    controllers
      .filter(({declared}) => declared.leaderElection !== false)
      .map(({name, plugin}) => {
        const detail = `its controller ${name} runs on one server at a time, which needs leases, and no plugin serves them: enable the plugin ${leases.plugin}`;
        return serverProblem('CONTRIBUTION_INVALID', {detail}, {plugin});
      }),
  );
}

/** What is allowed, and works no more than it would in a cluster without these types. */
async function warnOfMissingTypes(kernel: Kernel, logger: Logger): Promise<void> {
  const enabled = kernel.resources();
  const definitions = enabled.map(({definition}) => definition);
  const others = kernel.plugins.filter((plugin) => plugin.enabled && plugin.source !== 'root');
  if (others.length > 0) {
    const {unservedPermissions} = await import('./permission-problems.js');
    for (const plugin of others) for (const text of unservedPermissions(plugin, definitions)) logger.warn({plugin: plugin.name}, text);
  }
  if (definitions.some(({group, names}) => group === '' && names.plural === 'namespaces')) return;
  const namespaced = definitions
    .filter(({scope}) => scope === 'Namespaced')
    .map(({group, names}) => groupResourceText({group, resource: names.plural}));
  if (namespaced.length > 0)
    logger.warn(
      {resources: namespaced},
      'no plugin serves namespaces (the plugin core does): nothing checks those of these types, or empties them',
    );
}

/** A server that refuses everybody is what nobody means, though it may be asked for. */
function warnOfNobody({authenticators, authorizers}: Contributions, logger: Logger): void {
  if (authenticators.length === 0) logger.warn({}, 'no plugin that establishes who callers are is enabled: every request gets 401');
  else if (authenticators.every(({options}) => options.fallback)) logger.warn({}, 'no plugin knows any caller: every request is anonymous');
  if (authorizers.length === 0) logger.warn({}, 'no plugin that decides what callers may do is enabled: every request gets 403');
}

function checkAdmission(kernel: Kernel, {admission}: Contributions, logger: Logger): void {
  const others = new Map(kernel.plugins.filter(({source}) => source !== 'root').map((plugin) => [plugin.name, plugin]));
  const targets = admission.flatMap(({name, options, plugin}) => {
    const file = others.get(plugin)?.file;
    return file === undefined ? [] : [{name, options, place: {plugin, file}}];
  });
  if (targets.length === 0) return;
  const definitions = kernel.resources().map(({definition}) => definition);
  const {problems, later} = admissionProblems(targets, definitions);
  KernelError.throwIfAny(problems);
  if (later.length > 0) logger.info({resources: later}, 'admission controllers wait for custom resources: no plugin serves these');
}
