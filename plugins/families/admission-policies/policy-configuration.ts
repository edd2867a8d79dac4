import type {FeatureGates, JsonObject, NamingProfile} from '../../../sdk/index.js';

/**
 * Reads the configuration of an admission controller for policies.
 *
 * @param kind that it must have
 * @returns the folder with policies; undefined without one
 * @throws Error with a one-sentence message
 */
export async function policyFolder(
  {apiVersion = '', kind: given = '', staticManifestsDir, ...others}: JsonObject,
  kind: string,
  naming: NamingProfile,
  gates: FeatureGates,
): Promise<string | undefined> {
  const form = `${naming.group('apiserver.config.orch')}/v1 ${kind}`;
  if (`${String(apiVersion)} ${String(given)}` !== form)
    throw new Error(`the configuration must be ${form}, not ${String(apiVersion)} ${String(given)}`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`the configuration has the unknown field ${unknown}`);
  const {staticFolder} = await import('../admission-manifests/static-manifests.js');
  return staticFolder(staticManifestsDir, gates);
}
