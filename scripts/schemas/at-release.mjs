// A schema document as one release has it.
import {isPresent, withChanges} from './facts.mjs';

/** The document with the types and fields of a release, and without keywords about others. */
export function documentAtRelease({definitions, ...head}, release) {
  return {...head, definitions: presentAt(definitions, release, definitionAt)};
}

function presentAt(schemas, release, at) {
  const present = Object.entries(schemas).filter(([, {'x-orch-since': since, 'x-orch-until': until}]) =>
    isPresent({since, until}, release),
  );
  return Object.fromEntries(present.map(([name, schema]) => [name, at(schema, release)]));
}

function definitionAt(definition, release) {
  const schema = schemaAt(definition, release);
  // In its place: assigned anew it would keep it.
  if (schema.properties) schema.properties = presentAt(schema.properties, release, schemaAt);
  return schema;
}

function schemaAt({'x-orch-since': _since, 'x-orch-until': _until, 'x-orch-changes': changes, ...schema}, release) {
  return withChanges(schema, changes, release);
}
