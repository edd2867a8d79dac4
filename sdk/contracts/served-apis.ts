import type {JsonObject} from '../objects/api-object.js';

/**
 * What clients of this server get of an API, whoever answers for it: types of this server, plugins that answer for a group version, and aggregated API servers. For controllers that read an API
 * which somebody may or may not serve, such as metrics; of types of this server alone `ResourceClient` gives more. Requests are authorized as those of the plugin or controller, and other servers learn who asks.
 */
export interface ServedApis {
  /** The versions of a group that are served now, the preferred one first; none if nobody serves it. Groups are spelled as clients see them. */
  versions(group: string): readonly string[];
  /**
   * The answer to a GET: an object or a list, as JSON.
   *
   * @param path below `/api/v1` or `/apis/GROUP/VERSION`, as clients write it, with its query. Watches are not answered
   * @throws StatusError 400 for a path that cannot be read, 403, 404 if nobody serves it or there is no such object, 503 if its server does not answer, and whatever that server answers
   */
  get(path: string, signal: AbortSignal): Promise<JsonObject>;
}
