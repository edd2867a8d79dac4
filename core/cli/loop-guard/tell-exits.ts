import process from 'node:process';
import type {Logger} from '../../../sdk/contracts/logger.js';
import {pluginOfStack} from '../../kernel/attribution/plugin-of-stack.js';
import type {LoadedPlugin} from '../../kernel/manifests/loaded-plugin.js';

/**
 * Logs which plugin ends the process by `process.exit`, and where: it would be gone without a word otherwise.
 *
 * @param plugins those that did not come with the server
 * @returns undoes it
 */
export function tellExits(plugins: readonly LoadedPlugin[], logger: Logger): () => void {
  const exit = process.exit.bind(process);
  const own = process.exit;
  process.exit = (code) => {
    const err = new Error(`process.exit(${code ?? ''})`);
    const plugin = pluginOfStack(err, plugins);
    if (plugin !== undefined) logger.error({plugin, err}, 'a plugin ends the process');
    return exit(code);
  };
  return () => {
    process.exit = own;
  };
}
