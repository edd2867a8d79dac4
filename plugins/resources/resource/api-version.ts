import {parseApiVersion, type ApiObject} from '../../../sdk/index.js';

/** The version that an object is in. */
export function versionOf({apiVersion = ''}: ApiObject): string {
  return parseApiVersion(apiVersion)?.version ?? '';
}

/** Whether claims of a version ask for what one driver has (until 1.30), and not for devices. */
export function isClassic(version: string): boolean {
  return version === 'v1alpha1' || version === 'v1alpha2';
}
