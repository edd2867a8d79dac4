import type {ApiObject} from '../../../sdk/index.js';
import type {ServedVersion} from '../served-version.js';
import type {WriteContext} from '../request-context.js';

/** Warns whoever writes what nothing enforces, as the type's manifest says. @param old undefined for a new object */
export function warnWithoutEffect({type}: ServedVersion, object: ApiObject, old: ApiObject | undefined, context: WriteContext): void {
  const {withoutEffect} = type.behaviour;
  if (!withoutEffect) return;
  const {labels: prefix, reason} = withoutEffect;
  const warn = (what: string) => context.warn(`${what} has no effect on this server yet: ${reason}`);
  if (prefix === undefined) return warn(type.kind);
  for (const [key, value] of Object.entries(object.metadata.labels ?? {})) {
    if (key.startsWith(prefix) && old?.metadata.labels?.[key] !== value) warn(`the label ${JSON.stringify(key)}`);
  }
}
