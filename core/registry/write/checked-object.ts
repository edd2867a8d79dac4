import {transientObject, type WriteResult} from '../result-object.js';
import {NewObject} from './new-object.js';
import type {Admission} from './pipeline.js';

/** An object that is judged as a new one, and stays where it is. */
export class CheckedObject extends NewObject {
  override async commit(): Promise<WriteResult> {
    return {result: transientObject(this.object), created: false};
  }
}

/** Nobody is asked. */
export const unadmitted: Admission = {admit: async () => false, validate: async () => undefined};
