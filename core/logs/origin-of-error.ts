import {originOf} from '../../sdk/errors/error-origin.js';

/**
 * The fields of a line of the log, with the plugin that an error among them (`err`, `error`) came out of, and its method.
 *
 * @param known the plugin that the line has anyway; the other one is `failed` then, since both have to do with it
 */
export function withOriginOfError(fields: object, known: unknown): object {
  const {err, error = err, plugin = known} = fields as {readonly err?: unknown; readonly error?: unknown; readonly plugin?: unknown};
  if (error === undefined) return fields;
  const origin = originOf(error);
  if (!origin) return fields;
  const {plugin: failed, hook} = origin;
  if (plugin === undefined) return {...fields, plugin: failed, hook};
  return plugin === failed ? {...fields, hook} : {...fields, failed, hook};
}
