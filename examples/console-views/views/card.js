import {configMaps} from './config-maps.js';

/** How many config maps each namespace has. */
export default async function show(context) {
  const counts = new Map();
  for (const {metadata} of await configMaps(context)) counts.set(metadata.namespace, (counts.get(metadata.namespace) ?? 0) + 1);
  const list = document.createElement('ul');
  for (const [namespace, count] of counts) {
    const item = document.createElement('li');
    item.textContent = `${namespace}: ${count}`;
    list.append(item);
  }
  context.root.append(list);
}
