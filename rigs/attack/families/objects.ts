/** Objects that attacks fill the store with. */

/** A ConfigMap with so many bytes of text. */
export function configMap(name: string, bytes = 100, metadata: object = {}): object {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, ...metadata}, data: {text: 'x'.repeat(bytes)}};
}

export function* configMaps(count: number, bytes: number): Generator<object> {
  for (let number = 0; number < count; number++) yield configMap(`filler-${number}`, bytes);
}
