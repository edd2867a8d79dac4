import {isAbsolute} from 'node:path';
import {isJsonObject, type AdmissionConfigurations, type JsonObject} from '../../../sdk/index.js';

/** The operator's settings of the callback (`imagePolicy` in the configuration). */
export interface ImagePolicySettings {
  /** Client configuration file that names the service; absolute. */
  readonly kubeConfigFile: string;
  /** How long an answer that allows images is cached; 0 for not at all. */
  readonly allowMillis: number;
  readonly denyMillis: number;
  /** Pause before the second attempt; each later pause is half as long again. */
  readonly retryMillis: number;
  /** Whether pods are admitted if the service cannot be reached. */
  readonly defaultAllow: boolean;
}

const controller = 'ImagePolicyWebhook';
const members = ['kubeConfigFile', 'allowTTL', 'denyTTL', 'retryBackoff', 'defaultAllow'];

/** A time by Kubernetes' rules: in its unit from `least` to `greatest`; absent or 0 is the default, -1 for none. */
interface TimeRule {
  readonly unitMillis: number;
  readonly least: number;
  readonly greatest: number;
  readonly standard: number;
}

const seconds = {unitMillis: 1000, least: 1, greatest: 1800};
const allowRule: TimeRule = {...seconds, standard: 300};
const denyRule: TimeRule = {...seconds, standard: 30};
const retryRule: TimeRule = {unitMillis: 1, least: 1, greatest: 300_000, standard: 500};

/** Reads the configuration of the controller. @throws Error in one sentence */
export function imagePolicySettings(configurations: AdmissionConfigurations): ImagePolicySettings {
  const {imagePolicy} = configurations.get(controller) ?? {};
  if (!isJsonObject(imagePolicy))
    throw new Error(`${controller} needs a configuration with imagePolicy in the file of --admission-control-config-file`);
  const unknown = Object.keys(imagePolicy).find((member) => !members.includes(member));
  if (unknown !== undefined) throw new Error(`imagePolicy has the unknown field ${unknown}; there are ${members.join(', ')}`);
  const {kubeConfigFile, defaultAllow = false} = imagePolicy;
  if (typeof kubeConfigFile !== 'string' || !isAbsolute(kubeConfigFile))
    throw new Error(`imagePolicy.kubeConfigFile must be an absolute path, not ${JSON.stringify(kubeConfigFile)}`);
  if (typeof defaultAllow !== 'boolean') throw new Error('imagePolicy.defaultAllow must be true or false');
  return {
    kubeConfigFile,
    defaultAllow,
    allowMillis: timeOf(imagePolicy, 'allowTTL', allowRule),
    denyMillis: timeOf(imagePolicy, 'denyTTL', denyRule),
    retryMillis: timeOf(imagePolicy, 'retryBackoff', retryRule),
  };
}

function timeOf(policy: JsonObject, member: string, {unitMillis, least, greatest, standard}: TimeRule): number {
  const value = policy[member] ?? 0;
  if (value === -1) return 0;
  if (value === 0) return standard * unitMillis;
  if (typeof value !== 'number' || value < least || value > greatest)
    throw new Error(`imagePolicy.${member} must be a number from ${least} to ${greatest}, or -1 for none, not ${JSON.stringify(value)}`);
  return value * unitMillis;
}
