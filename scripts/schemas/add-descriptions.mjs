// Gives the schemas their descriptions: those written for a type, and behind them plain ones for what many types share.
import {commonDescriptions} from './common-descriptions.mjs';

/**
 * Puts written descriptions into the documents, then the common ones wherever nothing was written.
 *
 * `files` holds a file's content by its name. Each key of a file is `GROUP/VERSION[,VERSION…] TYPE[,TYPE…]`, its members describe
 * fields of all these types by name; the empty name describes the types themselves. A key or member that names nothing is an
 * error, and so is a second description of the same thing.
 */
export function addDescriptions(documents, files) {
  const written = new Set();
  for (const [file, content] of Object.entries(files)) {
    for (const [key, members] of Object.entries(content)) {
      for (const {id, name} of targetsOf(file, key)) {
        const definition = documents.get(id)?.definitions[name];
        if (!definition) throw new Error(`${file}: ${key}: there is no type ${id} ${name}`);
        for (const [field, description] of Object.entries(members)) {
          const place = `${id} ${name} ${field}`;
          if (field !== '' && !Object.hasOwn(definition.properties ?? {}, field))
            throw new Error(`${file}: ${key}: ${id} ${name} has no field ${field}`);
          if (typeof description !== 'string' || description.trim() === '')
            throw new Error(`${file}: ${key}: the description of ${field || 'the type'} is empty`);
          if (written.has(place)) throw new Error(`${file}: ${key}: ${field || 'the type'} of ${id} ${name} is described twice`);
          written.add(place);
          describe(documents.get(id).definitions, name, field, description);
        }
      }
    }
  }
  for (const {definitions} of documents.values()) {
    for (const name of Object.keys(definitions)) {
      for (const [field, description] of Object.entries(commonDescriptions(name, definitions[name]))) {
        if (!described(definitions[name], field)) describe(definitions, name, field, description);
      }
    }
  }
}

/** The types and fields of the documents that have no description: `GROUP/VERSION TYPE` or `GROUP/VERSION TYPE FIELD`. */
export function undescribed(documents) {
  return [...documents].flatMap(([id, {definitions}]) =>
    Object.entries(definitions).flatMap(([name, definition]) =>
      ['', ...Object.keys(definition.properties ?? {})]
        .filter((field) => !described(definition, field))
        .map((field) => `${id} ${name} ${field}`.trimEnd()),
    ),
  );
}

function targetsOf(file, key) {
  const match = /^([^/\s]+)\/(\S+) (\S+)$/.exec(key);
  if (!match) throw new Error(`${file}: ${key}: not of the form GROUP/VERSION[,VERSION…] TYPE[,TYPE…]`);
  const [, group, versions, names] = match;
  return versions.split(',').flatMap((version) => names.split(',').map((name) => ({id: `${group}/${version}`, name})));
}

function described(definition, field) {
  return (field === '' ? definition : definition.properties[field]).description !== undefined;
}

/** A description stands before all other members. */
function describe(definitions, name, field, description) {
  if (field === '') definitions[name] = {description, ...definitions[name]};
  else definitions[name].properties[field] = {description, ...definitions[name].properties[field]};
}
