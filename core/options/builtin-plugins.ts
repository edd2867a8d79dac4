import {fileURLToPath} from 'node:url';

/** The built-in plugins, beside the compiled core. */
export const builtinPlugins: string = fileURLToPath(new URL('../../plugins', import.meta.url));
