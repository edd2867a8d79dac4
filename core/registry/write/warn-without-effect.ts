import type {ServedVersion} from '../served-version.js';
import type {WriteContext} from '../request-context.js';

/** Warns clients that write fields which nothing enforces, as declared in the type's manifest. */
export function warnWithoutEffect({type}: ServedVersion, context: WriteContext): void {
  const {withoutEffect} = type.behaviour;
  if (withoutEffect) context.warn(`${type.kind} has no effect on this server: ${withoutEffect.reason}`);
}
