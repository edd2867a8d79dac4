import type {ContributionKind} from '../../../sdk/plugin/decorators.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import type {DeclaredClass} from './contributed-classes.js';
import type {FoundPlugin} from './read-manifest.js';

/** Kinds that are not needed before the type that they serve is used. */
const lazyKinds: ReadonlySet<ContributionKind> = new Set(['strategy', 'virtualResource']);

/** Whether a plugin's code is imported at the first use of one of its types. A third-party plugin never is: any problem with it must stop the start. */
export function isLazy({source, manifest}: FoundPlugin): boolean {
  return source === 'root' && manifest.lazy === true;
}

/**
 * The contribution of a lazy plugin that cannot be deferred; undefined if all can.
 *
 * @param constructor the class, once the code is imported. Without it the kind decides: policies, controllers and the like cannot be deferred. With it
 * the methods decide: a class with `start` or `stop` cannot be deferred.
 */
export function lazyProblem(
  plugin: FoundPlugin,
  declared: DeclaredClass,
  constructor?: {readonly prototype: object},
): KernelProblem | undefined {
  const {name, file, manifest} = plugin;
  if (manifest.lazy !== true) return undefined;
  const isLazyKind = lazyKinds.has(declared.kind);
  const cannotWait =
    constructor === undefined ? !isLazyKind : isLazyKind && ('start' in constructor.prototype || 'stop' in constructor.prototype);
  if (!cannotWait) return undefined;
  return problem('LAZY_INVALID', {kind: declared.kind, class: declared.class}, {plugin: name, file, path: declared.path});
}
