import type {StrategyContext} from '../../../sdk/index.js';
import type {WriteContext} from '../request-context.js';
import type {ObjectTarget, ServedVersion} from '../served-version.js';

export interface WriteScope {
  readonly served: ServedVersion;
  /** Without a name where the body has it: of a new object that was posted. */
  readonly target: ObjectTarget;
  readonly context: WriteContext;
  /** When this attempt began, in milliseconds since 1970. */
  readonly now: number;
}

export function writeScope(served: ServedVersion, target: ObjectTarget, context: WriteContext): WriteScope {
  return {served, target, context, now: served.clock()};
}

/** The circumstances of a write as strategies see them. */
export function strategyContext({served, target, context, now}: WriteScope, warn = (text: string) => context.warn(text)): StrategyContext {
  return {
    user: context.user,
    namespace: target.namespace,
    subresource: target.subresource,
    verb: context.verb ?? 'update',
    version: served.version.name,
    dryRun: context.dryRun,
    now: new Date(now),
    warn,
  };
}
