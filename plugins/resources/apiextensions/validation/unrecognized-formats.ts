import type {Schemas} from '../../../../sdk/index.js';
import {versionsOf, type CustomResourceDefinition} from '../custom-resource-definition.js';
import {someSchema} from '../schema-props.js';
import type {DefinitionBehaviour} from './definition-behaviour.js';

/** The formats in the schemas of a definition that nothing checks, each once. */
export function unrecognizedFormats(
  definition: CustomResourceDefinition,
  schemas: Schemas,
  {warnsOfAllFormats}: Pick<DefinitionBehaviour, 'warnsOfAllFormats'>,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const {schema} of versionsOf(definition)) {
    if (!schema?.openAPIV3Schema) continue;
    someSchema(schema.openAPIV3Schema, ({type, format}) => {
      if (format && (warnsOfAllFormats || type === 'string') && !schemas.knowsFormat(type, format)) found.add(format);
      return false;
    });
  }
  return found;
}
