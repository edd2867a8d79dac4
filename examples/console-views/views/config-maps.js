/** All config maps that the user may see, in the namespace that is chosen. */
export async function configMaps({client, namespace}) {
  const {items} = await client.get({group: '', version: 'v1', resource: 'configmaps', namespace});
  return items;
}
