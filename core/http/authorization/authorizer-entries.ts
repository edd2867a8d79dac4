import type {JsonObject, JsonValue, NamingProfile} from '../../../sdk/index.js';
import {decodeConfiguration} from '../../../sdk/configuration/index.js';
import {authorizationConfigurationKind} from './authorization-configuration.js';

/** The type of authorizers that may be named several times, each time with settings of its own. */
export const repeatableType = 'Webhook';

/** An entry of an `AuthorizationConfiguration`. */
export interface AuthorizerEntry {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: JsonObject;
}

/**
 * The entries of a configuration, without looking at their values.
 *
 * @param release of Kubernetes
 * @throws Error with what is wrong with the structure
 */
export async function readEntries(text: string, naming: NamingProfile, release: string): Promise<readonly AuthorizerEntry[]> {
  try {
    const {load} = await import('js-yaml');
    const {value} = decodeConfiguration(load(text) as JsonValue, authorizationConfigurationKind(naming), release);
    return (value['authorizers'] ?? []) as readonly AuthorizerEntry[];
  } catch (error) {
    throw new Error(`failed to load AuthorizationConfiguration from file: ${(error as Error).message}`, {cause: error});
  }
}

/** The types that entries name, each once, in order. */
export function typesOf(entries: readonly AuthorizerEntry[]): string[] {
  return [...new Set(entries.flatMap(({type}) => type || []))];
}
