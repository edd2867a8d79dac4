import {registerHooks} from 'node:module';

const root = new URL('../../../', import.meta.url);
const specifier =
  /^@orch-api\/orch\/(?:sdk(?:\/(?<module>[a-z-]+))?|families\/(?<family>[a-z-]+\/[a-z-]+)|types\/(?<types>[a-z.]+(?:\/v[a-z\d]+)?|resource-handle))$/;
let offered = false;

/**
 * Makes `import … from '@orch-api/orch/sdk'` in a third-party plugin resolve to the sdk that the kernel uses, wherever the plugin is. The same
 * holds for modules of the sdk (`@orch-api/orch/sdk/labels`), files of families (`@orch-api/orch/families/pods/pod-spec`) and types (`@orch-api/orch/types/resource-handle`).
 * So a plugin needs no installation of its own, and there is one copy of the container's bookkeeping: with two,
 * constructor parameters would not be found. Applies to the process; repeated calls do nothing.
 */
export function offerSdk(): void {
  if (offered) return;
  offered = true;
  registerHooks({
    resolve: (wanted, context, next) => {
      const url = ownUrl(wanted);
      return url === undefined ? next(wanted, context) : {url, format: 'module', shortCircuit: true};
    },
  });
}

/** The URL of a specifier in this package, by the `exports` of package.json; undefined if they do not include it. */
function ownUrl(wanted: string): string | undefined {
  const groups = specifier.exec(wanted)?.groups;
  if (!groups) return undefined;
  const {module, family, types} = groups;
  const path = types
    ? `sdk/types/${types}.js`
    : family
      ? `plugins/families/${family}.js`
      : module
        ? `sdk/${module}/index.js`
        : 'sdk/index.js';
  return new URL(path, root).href;
}
