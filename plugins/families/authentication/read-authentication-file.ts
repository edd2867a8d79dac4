import type {JsonValue, NamingProfile} from '../../../sdk/index.js';
import {decodeConfiguration} from '../../../sdk/configuration/index.js';
import {authenticationConfigurationKind} from './configuration-kind.js';
import type {AuthenticationConfiguration} from './configuration-fields.js';

/**
 * Reads the text of a configuration for authentication, without looking at its values.
 *
 * @param release of Kubernetes
 * @throws Error with what is wrong with its structure
 */
export async function readAuthenticationText(text: string, naming: NamingProfile, release: string): Promise<AuthenticationConfiguration> {
  const {load} = await import('js-yaml');
  return authenticationConfiguration(load(text) as JsonValue, naming, release);
}

/** @throws Error likewise */
export function authenticationConfiguration(value: JsonValue, naming: NamingProfile, release: string): AuthenticationConfiguration {
  return decodeConfiguration(value, authenticationConfigurationKind(naming), release).value as AuthenticationConfiguration;
}
