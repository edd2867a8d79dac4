// The text of a schema file: two spaces, one property of a definition per line.

/** `value` as JSON on one line, with a space behind each colon and comma. */
function oneLine(value) {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`)
    .join(', ')}}`;
}

function block(indent, entries) {
  const pad = ' '.repeat(indent);
  return entries.length === 0 ? '{}' : `{\n${entries.map(([key, text]) => `${pad}  ${JSON.stringify(key)}: ${text}`).join(',\n')}\n${pad}}`;
}

function definitionText(definition) {
  const entries = Object.entries(definition).map(([key, value]) => [
    key,
    key === 'properties'
      ? block(
          6,
          Object.entries(value).map(([name, schema]) => [name, oneLine(schema)]),
        )
      : oneLine(value),
  ]);
  return block(4, entries);
}

export function documentText(document) {
  const {definitions, ...head} = document;
  const entries = Object.entries(head).map(([key, value]) => [key, oneLine(value)]);
  return `${block(0, [
    ...entries,
    [
      'definitions',
      block(
        2,
        Object.entries(definitions).map(([name, definition]) => [name, definitionText(definition)]),
      ),
    ],
  ])}\n`;
}
