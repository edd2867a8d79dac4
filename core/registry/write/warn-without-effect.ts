import type {ServedVersion} from '../served-version.js';
import type {WriteContext} from '../request-context.js';

/** Warns whoever writes what nothing enforces, as the type's manifest says. */
export function warnWithoutEffect({type}: ServedVersion, context: WriteContext): void {
  const {withoutEffect} = type.behaviour;
  if (withoutEffect) context.warn(`${type.kind} has no effect on this server: ${withoutEffect.reason}`);
}
