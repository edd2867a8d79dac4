import {KernelError, type KernelProblem} from '../../kernel/kernel-error.js';
import {silentLogger} from '../../logs/silent-logger.js';
import {checkPlugins} from '../checked-plugins.js';
import {errorText} from '../error-text.js';
import {serverArguments} from '../server-arguments.js';

/** What is looked at besides what a start looks at. */
export interface StartChecks {
  /** A plugin that is checked as `orch plugins check` does, or all that the configuration names. */
  readonly plugin?: string | 'all';
  /** Whether their code is imported; true by default. */
  readonly importCode?: boolean;
}

/**
 * Everything that keeps `orch serve` with these arguments from starting, as far as it shows without starting anything: configuration, flags, manifests, settings,
 * versions, conflicts, files that are named.
 */
export async function startProblems(
  args: readonly string[],
  cwd: string,
  {plugin, importCode = true}: StartChecks = {},
): Promise<readonly KernelProblem[]> {
  const silent = {write: () => true};
  try {
    const {options} = await serverArguments(args, {out: silent, err: silent, cwd});
    const {createServer} = await import('../../server/create-server.js');
    await createServer({...options, logger: silentLogger});
    if (plugin === undefined) return [];
    const {configuration = {}} = options;
    const only = plugin === 'all' ? undefined : plugin;
    return (await checkPlugins({references: [], cwd, configuration, importCode, only})).problems;
  } catch (error) {
    return KernelError.is(error) ? error.problems : [{code: 'START', message: errorText(error)}];
  }
}
