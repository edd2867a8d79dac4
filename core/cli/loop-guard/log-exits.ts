import process from 'node:process';
import type {Logger} from '../../../sdk/contracts/logger.js';
import {pluginOfStack} from '../../kernel/attribution/plugin-of-stack.js';
import type {LoadedPlugin} from '../../kernel/manifests/loaded-plugin.js';

/**
 * Logs which plugin calls `process.exit`, and where: otherwise the process would end without a message.
 *
 * @param plugins without those that come with the server
 * @returns undoes it
 */
export function logExits(plugins: readonly LoadedPlugin[], logger: Logger): () => void {
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
