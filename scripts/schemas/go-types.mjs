// The names of Go types that messages about values of the wrong type have, where they do not follow from the schema.

const scalarTypes = {string: 'string', boolean: 'bool', int32: 'int32', int64: 'int64', double: 'float64', byte: '[]uint8'};

/**
 * The Go type of a field as Go writes it (`v1.RestartPolicy`, `[]v1.FinalizerName`): without the pointer to it, with the last part of the package.
 *
 * @param home the table against which the type is read
 */
export function goText(home, go) {
  if (go.startsWith('*')) return goText(home, go.slice(1));
  if (go.startsWith('[]')) return go === '[]byte' ? '[]uint8' : `[]${go[2] === '*' ? '*' : ''}${goText(home, go.slice(2))}`;
  const [, key, value] = /^map\[([^\]]+)\](.+)$/.exec(go) ?? [];
  if (key !== undefined) return `map[${goText(home, key)}]${goText(home, value)}`;
  if (/^(?:string|bool|u?int\d*|float64|double|byte|interface\{\})$/.test(go)) return go === 'double' ? 'float64' : go;
  return go.includes('.') ? go.split('.').slice(-2).join('.') : `${home.version}.${go}`;
}

/** What the server makes of a schema alone. */
export function derivedGoText(schema, ownVersion) {
  if (schema.$ref) {
    const [, document, name] = /^([^#]*)#\/definitions\/(.+)$/.exec(schema.$ref);
    return `${document === '' ? ownVersion : document.split('/').at(-1)}.${name}`;
  }
  if (schema.type === 'array') return `[]${derivedGoText(schema.items, ownVersion)}`;
  if (schema.type === 'object' && schema.additionalProperties)
    return `map[string]${derivedGoText(schema.additionalProperties, ownVersion)}`;
  return scalarTypes[schema.format] ?? scalarTypes[schema.type] ?? '';
}
