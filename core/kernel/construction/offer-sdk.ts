import {registerHooks} from 'node:module';

const sdk = new URL('../../../sdk/index.js', import.meta.url).href;
let offered = false;

/**
 * Makes `import … from 'orch/sdk'` in a third-party plugin resolve to the sdk of this server, wherever the plugin is.
 * So a plugin needs no installation of its own, and there is one copy of the container's bookkeeping: with two,
 * constructor parameters would not be found. Applies to the process; repeated calls do nothing.
 */
export function offerSdk(): void {
  if (offered) return;
  offered = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'orch/sdk' ? {url: sdk, format: 'module', shortCircuit: true} : next(specifier, context),
  });
}
