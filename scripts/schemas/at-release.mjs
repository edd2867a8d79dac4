// A schema document as one release has it.
import {isAfter, isPresent} from './facts.mjs';

/** Keywords that say from which release to which something is there, and how it changes on the way. */
const lifetimeKeywords = ['x-orch-since', 'x-orch-until', 'x-orch-changes'];

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

function schemaAt(schema, release) {
  const result = {...schema};
  for (const keyword of lifetimeKeywords) delete result[keyword];
  for (const {since, ...change} of schema['x-orch-changes'] ?? []) {
    if (isAfter(since, release)) break;
    for (const [keyword, value] of Object.entries(change)) {
      if (value === null) delete result[keyword];
      else result[keyword] = value;
    }
  }
  return result;
}
