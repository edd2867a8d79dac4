import type {ApiObject} from '../../../sdk/index.js';

/** What an operation answers that has nothing else to say. */
export function successStatus(): ApiObject {
  return {kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201};
}
