import type {ApiObject} from '../../../sdk/index.js';

/** The response of operations that return nothing else. */
export function successStatus(): ApiObject {
  return {kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201};
}
