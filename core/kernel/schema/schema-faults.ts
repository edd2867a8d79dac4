import type {ErrorObject} from 'ajv';
import {nearestName} from '../nearest-name.js';
import {pointerText} from './pointer-text.js';

/** One violation of a JSON schema. */
export interface SchemaFault {
  /** `contributes.admission[0].name`; empty for the whole value. */
  readonly path: string;
  readonly text: string;
}

/** Turns the errors of ajv (options `allErrors` and `verbose`) into readable faults, without the follow-up errors of combining keywords. */
export function schemaFaults(errors: readonly ErrorObject[] | null | undefined): SchemaFault[] {
  const faults: SchemaFault[] = [];
  for (const error of errors ?? []) {
    // An error inside `propertyNames` is followed by one that names the member; `if` only repeats what its branch said.
    if (error.propertyName !== undefined && error.keyword !== 'propertyNames') continue;
    if (error.keyword === 'if') continue;
    faults.push(faultOf(error));
  }
  return faults;
}

function faultOf(error: ErrorObject): SchemaFault {
  const parameters = error.params as Record<string, unknown>;
  const at = (...members: string[]) => pointerText(error.instancePath, members);
  switch (error.keyword) {
    case 'required':
      return {path: at(String(parameters['missingProperty'])), text: 'is required'};
    case 'additionalProperties': {
      const member = String(parameters['additionalProperty']);
      const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
      const meant = nearestName(member, known);
      return {path: at(member), text: `is not a known member${meant === undefined ? '' : `; did you mean ${meant}?`}`};
    }
    case 'propertyNames':
      return {path: at(String(parameters['propertyName'])), text: 'is not an allowed name'};
    case 'enum':
      return {
        path: at(),
        text: `must be one of ${(parameters['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`,
      };
    case 'const':
      return {path: at(), text: `must be ${JSON.stringify(parameters['allowedValue'])}`};
    case 'type':
      return {path: at(), text: `must be of type ${[parameters['type']].flat().join(' or ')}`};
    case 'false schema':
      return {path: at(), text: 'is not allowed here'};
    default:
      return {path: at(), text: error.message ?? `violates ${error.keyword}`};
  }
}
