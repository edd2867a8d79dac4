import {identity, keyProvider, type ValueProvider} from '../storage/encryption/value-provider.js';
import type {EncryptionRules} from '../storage/encryption/value-encryption.js';
import type {ResourcesConfiguration} from './parse-configuration.js';

/** An encryption configuration in use. */
export interface ConfiguredRules extends EncryptionRules {
  /** Each name of a resource, or wildcard, with the providers that it has; for the log and for checks. */
  readonly byName: ReadonlyMap<string, readonly ValueProvider[]>;
}

/** Makes the providers. A resource named by several entries has the providers of all, in order. */
export async function makeRules(entries: readonly ResourcesConfiguration[]): Promise<ConfiguredRules> {
  const byName = new Map<string, ValueProvider[]>();
  for (const {resources, providers} of entries) {
    const made = await Promise.all(
      providers.map(async (provider) =>
        provider.name === 'identity' ? identity : keyProvider(provider.name, provider.keyName, provider.secret),
      ),
    );
    for (const name of resources) byName.set(name, [...(byName.get(name) ?? []), ...made]);
  }
  return {byName, providersOf: (type) => byName.get(type) ?? byName.get(`*.${groupOf(type)}`) ?? byName.get('*.*')};
}

/** The group in the name of a stored type: `apps` of `deployments.apps`, empty for `secrets`. */
function groupOf(type: string): string {
  const dot = type.indexOf('.');
  return dot < 0 ? '' : type.slice(dot + 1);
}
